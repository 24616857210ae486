// Receives the parser's output: an MCStreamer that assembles nothing, but passes on instructions, labels and requested
// data.
#pragma once

#include "mca-core/assembly/data_sections.h"

#include "llvm/BinaryFormat/COFF.h"
#include "llvm/MC/MCExpr.h"
#include "llvm/MC/MCStreamer.h"
#include "llvm/Support/SaveAndRestore.h"

namespace mca {

/// The sink is a template parameter so that its functions are inlined. They are:
///
///   onInstruction(inst, section)
///   onDirective(section)             for directives that occur between instructions
///   onAlignment(logarithm, section)  for a directive that aligns code in any case
///   onLabel(symbol, loc, section)
///   onFunction(symbol)
///   onAddress(value, section)        for a value that is no constant, in a section whose data is not kept
///   onCodeData(bytes, loc, section)  for data in code; loc may be invalid
///   onUnknownCodeData(loc, section)  the same for data that the assembler or a linker computes
template <typename Sink>
class RecordingStreamer final : public llvm::MCStreamer {
public:
  RecordingStreamer(llvm::MCContext &context, Sink &sink, DataSections &data)
      : MCStreamer(context), sink_(sink), data_(data) {}

  void emitInstruction(const llvm::MCInst &inst, const llvm::MCSubtargetInfo &) override {
    sink_.onInstruction(inst, getCurrentSectionOnly());
  }
  void emitLabel(llvm::MCSymbol *symbol, llvm::SMLoc loc) override {
    MCStreamer::emitLabel(symbol, loc);
    sink_.onLabel(*symbol, loc, getCurrentSectionOnly());
  }
  // Compilers write these two between the instructions of a prologue, where repeated lines would otherwise stop.
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
    // The upper half of the type (PE/COFF specification, "Type Representation").
    if (coffSymbol_ && type >> llvm::COFF::SCT_COMPLEX_TYPE_SHIFT == llvm::COFF::IMAGE_SYM_DTYPE_FUNCTION)
      sink_.onFunction(*coffSymbol_);
  }
  // `.def name` … `.type` … `.endef`: the type follows the symbol.
  void beginCOFFSymbolDef(const llvm::MCSymbol *symbol) override { coffSymbol_ = symbol; }
  void endCOFFSymbolDef() override { coffSymbol_ = nullptr; }

  void emitBytes(llvm::StringRef bytes) override {
    if (keepsData())
      data_.addBytes(bytes);
    else if (isInCode())
      sink_.onCodeData(bytes, codeLoc_, getCurrentSectionOnly());
  }
  void emitValueImpl(const llvm::MCExpr *value, unsigned size, llvm::SMLoc loc) override {
    MCStreamer::emitValueImpl(value, size, loc);
    if (keepsData())
      data_.addValue(*value, size);
    // A constant is no address, and tables of numbers may be long.
    else if (value->getKind() != llvm::MCExpr::Constant)
      sink_.onAddress(*value, getCurrentSectionOnly());
    if (int64_t number = 0; isInCode() && value->evaluateAsAbsolute(number))
      emitCodeValue(static_cast<uint64_t>(number), size);
    else if (isInCode())
      sink_.onUnknownCodeData({}, getCurrentSectionOnly());
  }
  void emitULEB128Value(const llvm::MCExpr *value) override {
    if (keepsData())
      data_.addLeb128(*value, /*isSigned=*/false);
    else if (isInCode())
      sink_.onUnknownCodeData({}, getCurrentSectionOnly());
  }
  void emitSLEB128Value(const llvm::MCExpr *value) override {
    if (keepsData())
      data_.addLeb128(*value, /*isSigned=*/true);
    else if (isInCode())
      sink_.onUnknownCodeData({}, getCurrentSectionOnly());
  }
  using MCStreamer::emitFill;
  void emitFill(const llvm::MCExpr &bytes, uint64_t value, llvm::SMLoc loc) override {
    if (keepsData())
      data_.addFill(bytes, /*size=*/1, value);
    else if (isInCode())
      fillCode(bytes, /*size=*/1, value, loc);
  }
  void emitFill(const llvm::MCExpr &values, int64_t size, int64_t value, llvm::SMLoc loc) override {
    if (keepsData())
      data_.addFill(values, static_cast<unsigned>(size), static_cast<uint32_t>(value));
    else if (isInCode())
      fillCode(values, static_cast<unsigned>(size), static_cast<uint32_t>(value), loc);
  }
  void emitNops(int64_t bytes, int64_t, llvm::SMLoc loc, const llvm::MCSubtargetInfo &) override {
    if (bytes > 0 && isInCode())
      sink_.onUnknownCodeData(loc, getCurrentSectionOnly());
  }
  void emitValueToAlignment(llvm::Align alignment, int64_t fill, uint8_t, unsigned) override {
    if (keepsData())
      data_.addAlignment(alignment.value(), static_cast<uint8_t>(fill));
  }
  /// Compilers often let the assembler skip an alignment that would take many bytes.
  void emitCodeAlignment(llvm::Align alignment, const llvm::MCSubtargetInfo *, unsigned mostBytes) override {
    if (mostBytes == 0 || mostBytes + 1 >= alignment.value())
      sink_.onAlignment(static_cast<uint8_t>(llvm::Log2(alignment)), getCurrentSectionOnly());
  }
  void emitCOFFSecRel32(const llvm::MCSymbol *symbol, uint64_t offset) override {
    if (!keepsData())
      return;
    llvm::MCContext &context = getContext();
    const auto *base = llvm::MCSymbolRefExpr::create(symbol, context);
    const auto *distance = llvm::MCConstantExpr::create(static_cast<int64_t>(offset), context);
    data_.addValue(*llvm::MCBinaryExpr::createAdd(base, distance, context), /*size=*/4);
  }

  // Unused here, but they are pure virtual, or LLVM's default implementations end the process (llvm_unreachable).
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
  /// Selects the current section for the data that follows.
  bool keepsData() { return data_.select(getCurrentSectionOnly()); }

  bool isInCode() const {
    const llvm::MCSection *section = getCurrentSectionOnly();
    return section && section->isText();
  }
  void emitCodeValue(uint64_t value, unsigned size) {
    emitIntValue(size < 8 ? value & ((uint64_t{1} << (8 * size)) - 1) : value, size);
  }
  /// A fill of many bytes is room for something, and no code.
  void fillCode(const llvm::MCExpr &count, unsigned size, uint64_t value, llvm::SMLoc loc) {
    constexpr int64_t kMostValues = 64;
    int64_t values = 0;
    if (!count.evaluateAsAbsolute(values) || values > kMostValues || size > 8)
      return sink_.onUnknownCodeData(loc, getCurrentSectionOnly());
    const llvm::SaveAndRestore saved(codeLoc_, loc);
    for (int64_t i = 0; i < values; ++i)
      emitCodeValue(value, size);
  }

  Sink &sink_;
  DataSections &data_;
  const llvm::MCSymbol *coffSymbol_ = nullptr;
  llvm::SMLoc codeLoc_; ///< of the bytes that are emitted, if it is known
};

} // namespace mca
