// Receives the parser's output: an MCStreamer that assembles nothing, but records instructions, labels and requested
// data.
#pragma once

#include "mca-core/assembly/data_sections.h"
#include "mca-core/assembly/program.h"

#include "llvm/ADT/DenseSet.h"
#include "llvm/MC/MCExpr.h"
#include "llvm/MC/MCStreamer.h"

#include <functional>

namespace mca {

class RecordingStreamer final : public llvm::MCStreamer {
public:
  struct Sink {
    virtual ~Sink() = default;
    virtual void onInstruction(const llvm::MCInst &inst, const llvm::MCSection *section) = 0;
    /// For directives that occur between instructions.
    virtual void onDirective(const llvm::MCSection *section) = 0;
    virtual void onLabel(const llvm::MCSymbol &symbol, llvm::SMLoc loc, const llvm::MCSection *section) = 0;
    virtual void onFunction(const llvm::MCSymbol &symbol) = 0;
    virtual void onAddress(const llvm::MCExpr &value, const llvm::MCSection *section) = 0;
  };

  RecordingStreamer(llvm::MCContext &context, Sink &sink, DataSections &data)
      : MCStreamer(context), sink_(sink), data_(data) {}

  void emitInstruction(const llvm::MCInst &inst, const llvm::MCSubtargetInfo &) override {
    sink_.onInstruction(inst, getCurrentSectionOnly());
  }
  void emitLabel(llvm::MCSymbol *symbol, llvm::SMLoc loc) override {
    MCStreamer::emitLabel(symbol, loc);
    sink_.onLabel(*symbol, loc, getCurrentSectionOnly());
  }
  void emitCFIDefCfaOffset(int64_t offset, llvm::SMLoc loc) override {
    MCStreamer::emitCFIDefCfaOffset(offset, loc);
    sink_.onDirective(getCurrentSectionOnly());
  }
  void emitCFIOffset(int64_t reg, int64_t offset, llvm::SMLoc loc) override {
    MCStreamer::emitCFIOffset(reg, offset, loc);
    sink_.onDirective(getCurrentSectionOnly());
  }
  bool emitSymbolAttribute(llvm::MCSymbol *symbol, llvm::MCSymbolAttr attribute) override {
    if (attribute == llvm::MCSA_ELF_TypeFunction || attribute == llvm::MCSA_ELF_TypeIndFunction)
      sink_.onFunction(*symbol);
    return true;
  }
  void emitCOFFSymbolType(int type) override {
    // IMAGE_SYM_DTYPE_FUNCTION in the upper half of the type (PE/COFF specification, "Type Representation").
    if (coffSymbol_ && (type >> 4) == 2)
      sink_.onFunction(*coffSymbol_);
  }
  void beginCOFFSymbolDef(const llvm::MCSymbol *symbol) override { coffSymbol_ = symbol; }
  void endCOFFSymbolDef() override { coffSymbol_ = nullptr; }

  void emitBytes(llvm::StringRef bytes) override {
    if (keepsData())
      data_.addBytes(bytes);
  }
  void emitValueImpl(const llvm::MCExpr *value, unsigned size, llvm::SMLoc loc) override {
    MCStreamer::emitValueImpl(value, size, loc);
    if (keepsData())
      data_.addValue(*value, size);
    else if (value->getKind() != llvm::MCExpr::Constant)
      sink_.onAddress(*value, getCurrentSectionOnly());
  }
  void emitULEB128Value(const llvm::MCExpr *value) override {
    if (keepsData())
      data_.addLeb128(*value, /*isSigned=*/false);
  }
  void emitSLEB128Value(const llvm::MCExpr *value) override {
    if (keepsData())
      data_.addLeb128(*value, /*isSigned=*/true);
  }
  using MCStreamer::emitFill;
  void emitFill(const llvm::MCExpr &bytes, uint64_t value, llvm::SMLoc) override {
    if (keepsData())
      data_.addFill(bytes, /*size=*/1, value);
  }
  void emitFill(const llvm::MCExpr &values, int64_t size, int64_t value, llvm::SMLoc) override {
    if (keepsData())
      data_.addFill(values, static_cast<unsigned>(size), static_cast<uint32_t>(value));
  }
  void emitValueToAlignment(llvm::Align alignment, int64_t fill, uint8_t, unsigned) override {
    if (keepsData())
      data_.addAlignment(alignment.value(), static_cast<uint8_t>(fill));
  }
  void emitCOFFSecRel32(const llvm::MCSymbol *symbol, uint64_t offset) override {
    llvm::MCContext &context = getContext();
    if (keepsData())
      data_.addValue(*llvm::MCBinaryExpr::createAdd(llvm::MCSymbolRefExpr::create(symbol, context),
                                                    llvm::MCConstantExpr::create(static_cast<int64_t>(offset), context),
                                                    context),
                     /*size=*/4);
  }

  // We ignore object-format details and symbol values, but LLVM's default implementations would stop the process.
  void emitCommonSymbol(llvm::MCSymbol *, uint64_t, llvm::Align) override {}
  void emitZerofill(llvm::MCSection *, llvm::MCSymbol *, uint64_t, llvm::Align, llvm::SMLoc) override {}
  void emitCOFFSymbolStorageClass(int) override {}
  void emitXCOFFLocalCommonSymbol(llvm::MCSymbol *, uint64_t, llvm::MCSymbol *, llvm::Align) override {}
  void emitXCOFFSymbolLinkageWithVisibility(llvm::MCSymbol *, llvm::MCSymbolAttr, llvm::MCSymbolAttr) override {}
  void emitXCOFFRenameDirective(const llvm::MCSymbol *, llvm::StringRef) override {}
  void emitXCOFFExceptDirective(const llvm::MCSymbol *, const llvm::MCSymbol *, unsigned, unsigned, unsigned,
                                bool) override {}
  void emitXCOFFRefDirective(const llvm::MCSymbol *) override {}
  void emitXCOFFCInfoSym(llvm::StringRef, llvm::StringRef) override {}

private:
  bool keepsData() { return data_.select(getCurrentSectionOnly()); }

  Sink &sink_;
  DataSections &data_;
  const llvm::MCSymbol *coffSymbol_ = nullptr;
};

} // namespace mca
