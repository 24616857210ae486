// A complete parse: runs LLVM's parser over the text, and maps everything that it emits to offsets in the text.
//
// LLVM's parser names places only in messages. So the session derives them from what the parser reveals: the locations
// of tokens, the buffers of macro expansions, the notes after messages. It can be moved ahead in its text (repeated
// lines) and stopped only through its lexer.
#include "mca-core/assembly/code_data.h"
#include "mca-core/assembly/inst_directives.h"
#include "mca-core/assembly/line_directives.h"
#include "mca-core/assembly/print_directive.h"
#include "mca-core/assembly/program_parts.h"
#include "mca-core/assembly/repeated_lines.h"
#include "mca-core/assembly/statements.h"
#include "mca-core/assembly/streamer.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/MC/MCParser/MCAsmParser.h"
#include "llvm/MC/MCParser/MCTargetAsmParser.h"
#include "llvm/MC/MCSymbol.h"
#include "llvm/MC/TargetRegistry.h"
#include "llvm/Support/FormattedStream.h"
#include "llvm/Support/SaveAndRestore.h"

#include <algorithm>
#include <cstring>
#include <map>
#include <optional>
#include <utility>

namespace mca {

namespace {

// Reserving space for instructions avoids moving them, which takes longer than parsing some of them. Compilers write
// more bytes per instruction than kUsualBytes.
constexpr size_t kUsualBytes = 32, kMaxReserved = 1 << 20;
constexpr size_t kLongestLine = 512; // longer lines are never reused, because they may contain many statements

/// One run of LLVM's parser over a text: collects its output and messages, and maps them to offsets in the text.
class ParseSession final : public llvm::AsmCommentConsumer {
public:
  /// Parses `parts.text` in the context of `whole`: the same, or a program that gets a fragment. `program`: for
  /// ParseOptions::onFunction, null if it has seen the text. `decoded`: what takeDecoded() returned for the same text;
  /// empty the first time.
  ParseSession(Program::Parts &parts, Program::Parts &whole, const Target &target, const ParseOptions &options,
               const Program *program = nullptr, const std::vector<DecodedData> &decoded = {})
      : program_(program), parts_(parts), whole_(whole), target_(target), options_(options), decoded_(decoded),
        data_(options.keepData), lineDirectives_([this](llvm::SMLoc loc) { return placeOf(loc).offset; }),
        printDirective_(parts_.printed) {}

  /// Runs the parser. `section`: the section of a fragment; null for a complete text.
  void run(llvm::MCSection *section = nullptr) {
    llvm::SourceMgr &sources = whole_.sources;
    // A copy, because LLVM's objects point into it, and an update replaces the text.
    const unsigned buffer =
        sources.AddNewSourceBuffer(llvm::MemoryBuffer::getMemBufferCopy(parts_.text, options_.bufferName), {});
    begin_ = sources.getMemoryBuffer(buffer)->getBufferStart();
    if (!section)
      makeContext();
    llvm::MCContext &context = *whole_.context;
    context.setDiagnosticHandler([this](const auto &diagnostic, auto &&...) { onContextDiagnostic(diagnostic); });

    RecordingStreamer streamer(context, *this, data_);
    // Target directives need a target streamer, whose output we discard.
    const auto onInst = [&](llvm::StringRef bytes) { onCodeData(bytes, {}, streamer.getCurrentSectionOnly()); };
    llvm::raw_null_ostream nowhere;
    InstDirectives instDirectives(onInst);
    const bool readsInst = options_.dataAsCode && InstDirectives::supports(target_.triple());
    llvm::formatted_raw_ostream formatted(readsInst ? static_cast<llvm::raw_ostream &>(instDirectives) : nowhere);
    const std::unique_ptr<llvm::MCInstPrinter> printer = target_.createPrinter(0);
    target_.backend().createAsmTargetStreamer(streamer, formatted, printer.get());

    const std::unique_ptr<llvm::MCAsmParser> parser(
        llvm::createMCAsmParser(sources, context, streamer, target_.asmInfo(), buffer));
    parser_ = parser.get();
    streamer_ = &streamer;
    defaultHandler_ = sources.getDiagHandler();
    defaultHandlerContext_ = sources.getDiagContext();
    sources.setDiagHandler(&handleDiagnostic, this);
    // The target's parser may change the subtarget (`.arch`, `.option`), so it gets a copy.
    llvm::MCSubtargetInfo subtarget(target_.subtarget());
    const std::unique_ptr<llvm::MCTargetAsmParser> targetParser(
        target_.backend().createMCAsmParser(subtarget, *parser, target_.instructions(), llvm::MCTargetOptions()));
    if (!targetParser) {
      parts_.hasErrors = true;
      parts_.diagnostics.push_back({.message = "this target does not support assembly parsing"});
      return;
    }
    parser->setTargetParser(*targetParser);
    subtarget_ = &targetParser->getSTI();
    configure(section, streamer);
    parts_.parserFailed = parser->Run(/*NoInitialTextSection=*/section != nullptr, /*NoFinalize=*/section != nullptr);
    if (decoded_.empty() && !codeData_.empty() && !options_.stop.stop_requested())
      found_ = decodeCodeData(parts_, target_, context, codeData_);
    parts_.hasCodeData = !codeData_.empty();
    collectResults();
    // The context outlives this session, which its handlers refer to.
    sources.setDiagHandler(nullptr);
    context.setDiagnosticHandler([](const auto &diagnostic, auto &&...) { diagnostic.print(nullptr, llvm::errs()); });
  }

  /// What the data in code reads as (decodeCodeData()), for a second parse; empty if that would make no difference.
  std::vector<DecodedData> takeDecoded() { return std::move(found_); }

  // The functions of RecordingStreamer's sink.
  void onDirective(const llvm::MCSection *section) {
    if (readsRepeatedLines())
      reuseRepeatedLines(section);
  }
  void onFunction(const llvm::MCSymbol &symbol) { parts_.functions.insert(&symbol); }
  void onAddress(const llvm::MCExpr &value, const llvm::MCSection *section) {
    parts_.tableEntries.push_back({lastLabel_.lookup(section), &value});
  }

  void onCodeData(llvm::StringRef bytes, llvm::SMLoc loc, const llvm::MCSection *section) {
    if (options_.dataAsCode)
      codeDataAt(loc.isValid() ? loc : parser_->getTok().getLoc(), section).bytes += bytes;
  }
  void onUnknownCodeData(llvm::SMLoc loc, const llvm::MCSection *section) {
    if (options_.dataAsCode)
      codeDataAt(loc.isValid() ? loc : parser_->getTok().getLoc(), section).endsUnknown = true;
  }

  void onInstruction(const llvm::MCInst &inst, const llvm::MCSection *section) {
    if (options_.dataAsCode && isInsnDirective(target_, inst))
      return addInsn(inst, section);
    add(inst, section);
    if (options_.stop.stop_requested() && !parts_.instructions.back().fromMacro) {
      skipRest();
    } else if (readsRepeatedLines()) {
      rememberPreviousLine(inst);
      // `fstcw` produces this instruction and a second one.
      if (target_.instructions().getName(inst.getOpcode()) != "WAIT")
        reuseRepeatedLines(section);
    }
  }

  void onAlignment(uint8_t logarithm, const llvm::MCSection *section) {
    const uint8_t before = std::exchange(alignedSection_, section) == section ? alignment_ : 0;
    alignment_ = std::max(before, logarithm);
  }

  void onLabel(const llvm::MCSymbol &symbol, llvm::SMLoc loc, const llvm::MCSection *section) {
    if (program_ && options_.onFunction && parts_.functions.contains(&symbol)) {
      parts_.syntaxVariant = parser_->getAssemblerDialect();
      options_.onFunction(*program_);
    }
    const auto instruction = static_cast<uint32_t>(parts_.instructions.size());
    parts_.labels.push_back({&symbol, symbol.getName(), instruction, placeOf(loc).offset, section});
    data_.addLabel(symbol, section, instruction);
    lastLabel_[section] = &symbol;
    // The parser creates a label for `.` in the middle of a statement; loc is invalid then.
    if (loc.isValid())
      onDirective(section);
  }

  void HandleComment(llvm::SMLoc loc, llvm::StringRef text) override {
    if (!text.contains("LLVM-MCA-"))
      return handleOwnComment(loc, text);
    // After a line with an error, the lexer sees the comment a second time.
    if (!options_.asLlvmMca && loc == lastComment_)
      return;
    lastComment_ = loc;
    const Place place = placeOf(loc);
    const std::vector<Diagnostic> &regionErrors = parts_.regions.diagnostics();
    const std::vector<Diagnostic> &instrumentErrors = parts_.instruments.diagnostics();
    const size_t errors = regionErrors.size() + instrumentErrors.size();
    const bool isRegion = parts_.regions.handleComment(place.offset, text);
    if (!isRegion)
      parts_.instruments.handleComment(positionOf(place), text, options_.asLlvmMca);
    if (regionErrors.size() + instrumentErrors.size() == errors)
      return;
    if (isRegion)
      reportMarkerError(regionErrors.back(), loc, ParserMessage::Source::RegionMarker);
    else
      reportMarkerError(instrumentErrors.back(), loc, ParserMessage::Source::Instrument);
  }

private:
  /// Collects statements about pointers, if the comment is alone on a line of the text. LLVM's lexer sees a comment
  /// twice after an error.
  void handleOwnComment(llvm::SMLoc loc, llvm::StringRef text) {
    if (!text.contains("mca:") || !inText(loc.getPointer()))
      return;
    const uint32_t offset = offsetOf(loc);
    const llvm::StringRef before = llvm::StringRef(parts_.text).take_front(offset).rtrim("#/;@!*| \t");
    if (!before.empty() && before.back() != '\n')
      return;
    std::optional<PointerStatement> statement = readPointerStatement({text.data(), text.size()}, offset);
    if (!statement || (!statements_.empty() && statements_.back().begin >= statement->begin))
      return;
    const size_t known = statementsBefore_[statement->about]++;
    statement->isBeyond = known == mostStatements(statement->about);
    if (known <= mostStatements(statement->about))
      statements_.push_back(std::move(*statement));
  }

  /// A location in the user's text. That of an expansion is its outermost call.
  struct Place {
    uint32_t offset;
    bool inMacro;
    unsigned expansion = 0; ///< the buffer with the macro's expansion
    uint32_t within = 0;    ///< offset in that buffer
  };
  /// Whether the pointer is into the text itself. Its end counts: errors at the end of the text are there.
  bool inText(const char *pointer) const { return pointer >= begin_ && pointer <= begin_ + parts_.text.size(); }
  uint32_t offsetOf(llvm::SMLoc loc) const { return static_cast<uint32_t>(loc.getPointer() - begin_); }
  uint32_t lastOffset() const { return parts_.instructions.empty() ? 0 : parts_.instructions.back().offset; }
  /// Within one expansion, offsets in its text count, because the lexer sees a comment before the instruction in front
  /// of it. Expansions of one call are ordered by a counter.
  InstrumentTracker::Position positionOf(Place place) {
    constexpr uint32_t kWithinBits = 20, kWithinMax = (1u << kWithinBits) - 1, kStepMax = (1u << 12) - 1;
    if (!place.inMacro)
      return uint64_t(place.offset) << 32;
    if (place.offset != lastCall_)
      expansionStep_ = 0;
    else if (place.expansion != positionedIn_)
      expansionStep_ = std::min(expansionStep_ + 1, kStepMax);
    lastCall_ = place.offset;
    positionedIn_ = place.expansion;
    return uint64_t(place.offset) << 32 | expansionStep_ << kWithinBits | std::min(place.within, kWithinMax);
  }

  /// A context needs the sources for messages, and the object file's description for its sections.
  void makeContext() {
    parts_.sources.setVirtualFileSystem(options_.files ? options_.files : llvm::vfs::getRealFileSystem());
    parts_.context = std::make_unique<llvm::MCContext>(target_.triple(), &target_.asmInfo(), &target_.registers(),
                                                       &target_.subtarget(), &parts_.sources);
    parts_.objectFile.reset(target_.backend().createMCObjectFileInfo(*parts_.context, /*PIC=*/false));
    parts_.context->setObjectFileInfo(parts_.objectFile.get());
  }

  /// Sets up the parser for a complete text, or for a fragment in its section and syntax. Only a complete text pays for
  /// the cache of repeated lines.
  void configure(llvm::MCSection *section, llvm::MCStreamer &streamer) {
    if (!section && options_.repeatedLines && RepeatedLines::supports(target_))
      repeated_.emplace();
    parser_->getLexer().setCommentConsumer(this);
    parser_->getLexer().setLexMasmIntegers(options_.asLlvmMca && !options_.localLabels);
    if (options_.ownLineDirectives)
      lineDirectives_.Initialize(*parser_);
    if (!section) {
      printDirective_.Initialize(*parser_);
      if (options_.syntax)
        parser_->setAssemblerDialect(options_.syntax);
      return;
    }
    streamer.switchSection(section);
    parser_->setAssemblerDialect(whole_.syntaxVariant);
  }

  /// Moves what was collected during the run into the program. Instruments are resolved at the end, when it is known
  /// how far each of them extends.
  void collectResults() {
    parts_.hasErrors |= parts_.parserFailed;
    parts_.syntaxVariant = parser_->getAssemblerDialect();
    parts_.lines = std::move(lineDirectives_.lines);
    parts_.lineFiles = std::move(lineDirectives_.files);
    parts_.data = data_.layOut(target_.asmInfo().isLittleEndian());
    const std::vector<uint32_t> sets = parts_.instruments.resolve(positions_, parts_.instrumentSets);
    for (size_t i = 0; i < sets.size(); ++i)
      if (parts_.instructions[i].placed || !options_.asLlvmMca)
        parts_.instructions[i].instrumentSet = sets[i];
    parts_.pointerStatements = std::move(statements_);
    placePointerStatements(parts_, target_);
    for (const auto &errors : {parts_.regions.takeDiagnostics(), parts_.instruments.takeDiagnostics()}) {
      parts_.hasErrors |= !errors.empty();
      llvm::append_range(parts_.diagnostics, errors);
    }
  }

  /// The data of the directive that the parser is in, with the instructions that it is known to hold.
  CodeData &codeDataAt(llvm::SMLoc token, const llvm::MCSection *section) {
    const auto instruction = static_cast<uint32_t>(parts_.instructions.size());
    const auto label = static_cast<uint32_t>(parts_.labels.size());
    const char *const before = std::exchange(lastData_, token.getPointer());
    const unsigned bufferBefore =
        std::exchange(lastDataBuffer_, inText(token.getPointer()) ? 0 : expansionOf(token.getPointer()));
    if (!codeData_.empty() && bufferBefore == lastDataBuffer_ && before <= lastData_ &&
        nextData_ == std::pair(instruction, label) && !codeData_.back().endsUnknown &&
        !endsStatement(before, lastData_))
      return codeData_.back();
    codeData_.push_back({.instruction = instruction,
                         .label = label,
                         .section = section,
                         .subtarget = &parser_->getTargetParser().getSTI(),
                         .bytes = {},
                         .endsUnknown = false});
    if (!decoded_.empty())
      addDecoded(decoded_[codeData_.size() - 1], token, section);
    nextData_ = {static_cast<uint32_t>(parts_.instructions.size()), label};
    return codeData_.back();
  }

  /// LLVM gives some of these directives no location. Their statement is the one before the parser's next token.
  void addInsn(llvm::MCInst inst, const llvm::MCSection *section) {
    if (const llvm::SMLoc token = parser_->getTok().getLoc(); !inst.getLoc().isValid() && inText(token.getPointer())) {
      const llvm::StringRef before = llvm::StringRef(parts_.text).take_front(offsetOf(token)).rtrim();
      inst.setLoc(llvm::SMLoc::getFromPointer(begin_ + statementOf(static_cast<uint32_t>(before.size()))));
    }
    const auto decoded = decodeInsn(target_, *whole_.context, inst, parser_->getTargetParser().getSTI());
    add(decoded.value_or(inst), section, /*fromData=*/decoded.has_value());
  }

  /// Whether a statement ends in a part of the text.
  bool endsStatement(const char *begin, const char *end) const {
    const llvm::StringRef between(begin, static_cast<size_t>(end - begin));
    return between.contains('\n') || between.contains(target_.asmInfo().getSeparatorString());
  }

  void addDecoded(const DecodedData &decoded, llvm::SMLoc token, const llvm::MCSection *section) {
    const llvm::SMLoc place =
        inText(token.getPointer()) ? llvm::SMLoc::getFromPointer(begin_ + statementOf(offsetOf(token))) : token;
    for (llvm::MCInst inst : decoded.instructions) {
      inst.setLoc(place);
      add(inst, section, /*fromData=*/true);
    }
    next_ = decoded.next;
    nextFlags_ = decoded.nextFlags;
    if (!decoded.isUnread)
      return;
    const uint32_t offset = placeOf(place).offset;
    parts_.unreadLines.push_back({.offset = offset,
                                  .instruction = static_cast<uint32_t>(parts_.instructions.size()),
                                  .label = static_cast<uint32_t>(parts_.labels.size()),
                                  .line = lineDirectives_.current(),
                                  .section = section});
    parts_.diagnostics.push_back({.severity = Diagnostic::Severity::Warning,
                                  .begin = offset,
                                  .end = endOfLine(offset),
                                  .message = "control flow runs into this data, which cannot be read as instructions: "
                                             "it is left out, and the cycles are a lower bound",
                                  .related = {},
                                  .fromData = true});
  }

  /// Adds an instruction, from the parser, from a repeated line or from data.
  void add(const llvm::MCInst &inst, const llvm::MCSection *section, bool fromData = false) {
    const Place place = placeOf(inst.getLoc());
    const InstrumentTracker::Position position = positionOf(place);
    parts_.instruments.handleInstruction(inst, position);
    positions_.push_back(position);
    parts_.instructions.push_back({inst, place.offset, lineDirectives_.current(), /*instrumentSet=*/0, place.inMacro,
                                   fromData, inst.getLoc().isValid(), section, takeAlignment(section)});
    if (!fromData && (next_ || nextFlags_))
      addPrefixes(parts_.instructions.back());
  }

  /// The alignment of the next instruction in the section.
  uint8_t takeAlignment(const llvm::MCSection *section) {
    return section == alignedSection_ ? std::exchange(alignment_, uint8_t{0}) : uint8_t{0};
  }

  /// Makes the instruction what the prefixes before it, which are data, make of it.
  void addPrefixes(Instruction &instruction) {
    const llvm::SMLoc loc = instruction.inst.getLoc();
    if (next_)
      instruction.inst = *next_;
    instruction.inst.setLoc(loc);
    instruction.inst.setFlags(instruction.inst.getFlags() | nextFlags_);
    instruction.fromData = true;
    next_.reset();
    nextFlags_ = 0;
  }

  /// Whether repeated lines have the same meaning as before. Once the syntax or the subtarget has changed, LLVM's
  /// parser reads the rest of the text.
  bool readsRepeatedLines() {
    if (repeated_ && (parser_->getAssemblerDialect() != 0 || &parser_->getTargetParser().getSTI() != subtarget_))
      repeated_.reset();
    return repeated_.has_value();
  }

  /// Adds the previous line to the repeated lines, if it produced exactly one instruction and no diagnostics. Whether
  /// this line qualifies is known at the next instruction.
  void rememberPreviousLine(const llvm::MCInst &inst) {
    const char *const at = inst.getLoc().getPointer();
    // A statement that produces several instructions gives all of them its own location.
    const bool another = std::exchange(latest_.at, at) != at; // another line than before
    const size_t diagnosticCount = parts_.diagnostics.size() + parts_.messages.size();
    const bool hasNoDiagnostics = std::exchange(diagnosticCount_, diagnosticCount) == diagnosticCount;
    if (another && latest_.hasNoDiagnostics && !latest_.line.empty())
      repeated_->add(latest_.line, latest_.inst);
    latest_.line = {};
    if (!another || !at || !inText(at))
      return;
    const llvm::StringRef text(parts_.text), before = text.take_front(static_cast<size_t>(at - begin_));
    // After a label or a `;`, the instruction is only a part of its line.
    const size_t start = before.find_last_not_of(" \t");
    if (start != llvm::StringRef::npos && before[start] != '\n')
      return;
    latest_.line = text.drop_front(before.size()).take_until([](char c) { return c == '\n'; });
    latest_.inst = inst;
    latest_.hasNoDiagnostics = hasNoDiagnostics;
  }

  /// Adds the instructions of the following lines as long as they are known, and moves the parser past them. The
  /// parser has consumed the end of the current statement and holds the next token: a word or the end of an empty line.
  void reuseRepeatedLines(const llvm::MCSection *section) {
    const llvm::AsmToken &token = parser_->getTok();
    const bool isWord = token.is(llvm::AsmToken::Identifier);
    if (!isWord && (token.isNot(llvm::AsmToken::EndOfStatement) || !token.getString().ends_with("\n")))
      return;
    const char *at = isWord ? token.getLoc().getPointer() : token.getEndLoc().getPointer();
    if (!inText(at))
      return;
    const char *const end = begin_ + parts_.text.size();
    const char *lastEnd = nullptr;
    const auto endOfLineAt = [end](const char *from) {
      return static_cast<const char *>(
          std::memchr(from, '\n', std::min(kLongestLine, static_cast<size_t>(end - from))));
    };
    while (const char *const newline = endOfLineAt(at)) {
      const llvm::StringRef line = llvm::StringRef(at, static_cast<size_t>(newline - at)).ltrim(" \t");
      if (!RepeatedLines::isEmpty(line)) {
        const llvm::MCInst *known = repeated_->find(line);
        // A macro may have been defined since, with a mnemonic's name.
        if (!known || whole_.context->lookupMacro(line.take_while(llvm::isAlnum)))
          break;
        llvm::MCInst inst = *known;
        inst.setLoc(llvm::SMLoc::getFromPointer(line.data()));
        add(inst, section);
      }
      lastEnd = newline;
      at = newline + 1;
    }
    if (!lastEnd)
      return;
    // Before a word, the parser holds it as the next token already, and must read that of the new place instead.
    llvm::AsmLexer &lexer = parser_->getLexer();
    lexer.setBuffer(llvm::StringRef(begin_, parts_.text.size()), lastEnd);
    if (isWord)
      lexer.Lex();
  }

  /// Stops the parser by ending its text, because LLVM's parser has no other way. Not inside an expansion, which it
  /// would leave unfinished.
  void skipRest() {
    const char *end = begin_ + parts_.text.size();
    parser_->getLexer().setBuffer(llvm::StringRef(end, 0), end);
  }

  /// Reports the error of the marker at `loc` like an error of the parser.
  void reportMarkerError(const Diagnostic &diagnostic, llvm::SMLoc loc, ParserMessage::Source source) {
    if (!options_.asLlvmMca)
      return;
    const llvm::SaveAndRestore saved(messageSource_, source);
    whole_.sources.PrintMessage(loc, llvm::SourceMgr::DK_Error, diagnostic.message);
    for (const Diagnostic::Related &related : diagnostic.related)
      whole_.sources.PrintMessage(
          related.begin == diagnostic.begin ? loc : llvm::SMLoc::getFromPointer(begin_ + related.begin),
          llvm::SourceMgr::DK_Note, related.message);
  }

  /// Keeps a message in its final form. LLVM's own handler applies `# 7 "file.c"` lines and passes the result to our
  /// context. For an included file it would print the including files immediately, so these messages bypass it.
  void keepMessage(const llvm::SMDiagnostic &diagnostic) {
    const unsigned buffer =
        diagnostic.getLoc().isValid() ? whole_.sources.FindBufferContainingLoc(diagnostic.getLoc()) : 0;
    const llvm::SMLoc include = buffer ? whole_.sources.getParentIncludeLoc(buffer) : llvm::SMLoc();
    if (!include.isValid()) {
      const llvm::SaveAndRestore saved(inDefaultHandler_, true);
      return defaultHandler_(diagnostic, defaultHandlerContext_);
    }
    ParserMessage &message = parts_.messages.emplace_back(ParserMessage{messageSource_, {}, diagnostic});
    llvm::raw_string_ostream stack(message.includeStack);
    whole_.sources.PrintIncludeStack(include, stack);
  }

  /// Messages that reach the context: those that LLVM's own handler passes on, and errors of the context itself.
  void onContextDiagnostic(const llvm::SMDiagnostic &diagnostic) {
    if (!inDefaultHandler_)
      onDiagnostic(diagnostic);
    if (options_.asLlvmMca)
      parts_.messages.push_back({messageSource_, {}, diagnostic});
  }

  /// Instructions without a location get the previous one's offset, so that offsets ascend.
  Place placeOf(llvm::SMLoc loc) {
    if (!loc.isValid())
      return {lastOffset(), false};
    if (inText(loc.getPointer()))
      return {offsetOf(loc), false};
    const unsigned buffer = expansionOf(loc.getPointer());
    const char *start = whole_.sources.getMemoryBuffer(buffer)->getBufferStart();
    return {callOf(buffer, loc), true, buffer, static_cast<uint32_t>(loc.getPointer() - start)};
  }

  /// Returns the buffer of the macro expansion or included file that contains `pointer`. Searches from the newest
  /// buffer, because an expansion is parsed right after it was created; SourceMgr's own search starts at the oldest and
  /// would make many calls quadratic.
  unsigned expansionOf(const char *pointer) {
    const auto holds = [&](unsigned buffer) {
      const llvm::MemoryBuffer *memory = whole_.sources.getMemoryBuffer(buffer);
      return pointer >= memory->getBufferStart() && pointer <= memory->getBufferEnd();
    };
    if (lastExpansion_ && holds(lastExpansion_))
      return lastExpansion_;
    unsigned buffer = whole_.sources.getNumBuffers();
    while (buffer > 1 && !holds(buffer))
      --buffer;
    return lastExpansion_ = buffer;
  }

  /// Returns the offset of the outermost macro call. LLVM's parser keeps the stack of calls private but reports it in
  /// the notes after any message, so we emit a note of our own and catch what follows. An included file has its
  /// `.include`.
  uint32_t callOf(unsigned buffer, llvm::SMLoc loc) {
    if (const auto known = calls_.find(buffer); known != calls_.end())
      return known->second;
    locatingCall_ = true;
    outermostCall_ = {};
    parser_->Note(loc, "");
    locatingCall_ = false;
    if (!outermostCall_.isValid())
      outermostCall_ = whole_.sources.getParentIncludeLoc(buffer);
    const uint32_t call = inText(outermostCall_.getPointer()) ? offsetOf(outermostCall_) : lastOffset();
    calls_.try_emplace(buffer, call);
    return call;
  }

  /// SourceMgr's handler, a C function with a context. Asking for a call must leave no message.
  static void handleDiagnostic(const llvm::SMDiagnostic &diagnostic, void *context) {
    ParseSession &session = *static_cast<ParseSession *>(context);
    session.onDiagnostic(diagnostic);
    if (session.options_.asLlvmMca && !session.locatingCall_)
      session.keepMessage(diagnostic);
  }

  /// Adds a message to the program's diagnostics. Notes belong to the message before them; LLVM's notes after a message
  /// in an expansion are the calls that led to it, and the first in the text is the message's place.
  void onDiagnostic(const llvm::SMDiagnostic &message) {
    const llvm::SMLoc loc = message.getLoc();
    const bool placed = loc.isValid() && inText(loc.getPointer());
    if (locatingCall_) {
      if (placed)
        outermostCall_ = loc;
      return;
    }
    if (messageSource_ != ParserMessage::Source::Parser)
      return;
    const uint32_t offset = placed ? offsetOf(loc) : lastOffset();
    const uint32_t end = endOfLine(offset);
    if (message.getKind() == llvm::SourceMgr::DK_Note && !parts_.diagnostics.empty()) {
      Diagnostic &about = parts_.diagnostics.back();
      if (placed && diagnosticNeedsPlace_) {
        about.begin = offset;
        about.end = end;
        if (unreadNeedsPlace_)
          parts_.unreadLines.back().offset = statementOf(offset);
      } else if (placed) {
        about.related.push_back({offset, end, message.getMessage().str()});
      }
      return;
    }
    diagnosticNeedsPlace_ = !placed;
    const bool isError = message.getKind() == llvm::SourceMgr::DK_Error;
    parts_.hasErrors |= isError;
    unreadNeedsPlace_ = isError && addUnreadLine(offset, placed) && !placed;
    parts_.diagnostics.push_back({.severity = isError ? Diagnostic::Severity::Error : Diagnostic::Severity::Warning,
                                  .begin = offset,
                                  .end = end,
                                  .message = message.getMessage().str()});
  }

  /// Where the statement around an offset begins.
  uint32_t statementOf(uint32_t offset) const {
    return static_cast<uint32_t>(statementAt(parts_.text, offset, target_.asmInfo().getSeparatorString()));
  }

  /// Adds the statement of an error, unless it holds no instruction, or one that was read: what LLVM reports at the end
  /// of the text, such as an undefined label, is about instructions of before. Returns whether it was added.
  bool addUnreadLine(uint32_t offset, bool placed) {
    const uint32_t statement = placed ? statementOf(offset) : offset;
    if (placed && (!mayHoldInstructions(llvm::StringRef(parts_.text).drop_front(statement)) ||
                   (!parts_.instructions.empty() && statement <= lastOffset())))
      return false;
    const UnreadLine line{.offset = statement,
                          .instruction = static_cast<uint32_t>(parts_.instructions.size()),
                          .label = static_cast<uint32_t>(parts_.labels.size()),
                          .line = lineDirectives_.current(),
                          .section = streamer_->getCurrentSectionOnly()};
    if (!parts_.unreadLines.empty() && placed && parts_.unreadLines.back().offset == statement)
      return false; // another error of it
    parts_.unreadLines.push_back(line);
    return true;
  }

  /// Diagnostics extend to the end of the line, because LLVM reports only where most of them begin.
  uint32_t endOfLine(uint32_t offset) const {
    const size_t end = parts_.text.find_first_of("\r\n", offset);
    return static_cast<uint32_t>(std::min(end, parts_.text.size()));
  }

  const Program *program_; ///< null for a fragment
  Program::Parts &parts_;  ///< receives the results
  Program::Parts &whole_;  ///< owns the context and the sources
  const Target &target_;
  const ParseOptions &options_;
  const std::vector<DecodedData> &decoded_; ///< empty the first time
  std::vector<DecodedData> found_;
  std::vector<CodeData> codeData_;
  std::pair<uint32_t, uint32_t> nextData_; ///< the next instruction and label after the last of them
  const char *lastData_ = nullptr;         ///< the token after its last value, and the expansion that holds it
  unsigned lastDataBuffer_ = 0;
  std::optional<llvm::MCInst> next_; ///< of DecodedData, until the instruction comes
  unsigned nextFlags_ = 0;
  DataSections data_;
  LineDirectives lineDirectives_;
  PrintDirective printDirective_;
  llvm::MCAsmParser *parser_ = nullptr;
  llvm::MCStreamer *streamer_ = nullptr;
  const llvm::MCSubtargetInfo *subtarget_ = nullptr; // the subtarget at the start of the text
  const char *begin_ = nullptr;
  std::optional<RepeatedLines> repeated_;
  size_t diagnosticCount_ = 0; ///< at the last instruction
  /// The last instruction, if it can represent its line.
  struct {
    const char *at = nullptr;
    llvm::StringRef line; ///< starting at `at`; empty if it cannot
    llvm::MCInst inst;
    bool hasNoDiagnostics = false; ///< no diagnostic concerns it
  } latest_;
  llvm::DenseMap<const llvm::MCSection *, const llvm::MCSymbol *> lastLabel_;
  uint8_t alignment_ = 0; ///< of the next instruction, if it is in alignedSection_
  const llvm::MCSection *alignedSection_ = nullptr;
  std::vector<InstrumentTracker::Position> positions_;
  llvm::DenseMap<unsigned, uint32_t> calls_; // buffer of an expansion -> offset of its outermost call
  unsigned lastExpansion_ = 0;
  bool locatingCall_ = false;
  llvm::SourceMgr::DiagHandlerTy defaultHandler_ = nullptr; // the handler of LLVM's parser
  void *defaultHandlerContext_ = nullptr;
  bool inDefaultHandler_ = false;
  ParserMessage::Source messageSource_ = ParserMessage::Source::Parser;
  bool unreadNeedsPlace_ = false;     // the last diagnostic added an unread line, and is in an expansion
  bool diagnosticNeedsPlace_ = false; // the last one is in an expansion: the notes after it contain the call
  llvm::SMLoc outermostCall_;         ///< found by the notes during callOf()
  llvm::SMLoc lastComment_;
  std::vector<PointerStatement> statements_; // their instructions are known at the end
  std::map<PointerStatement::About, size_t> statementsBefore_;
  uint32_t lastCall_ = kNone; ///< of positionOf(): the last call, its expansion, and its counter
  unsigned positionedIn_ = 0;
  uint32_t expansionStep_ = 0;
};

} // namespace

void parseFragment(Program::Parts &fragment, Program::Parts &whole, llvm::MCSection &section, const Target &target) {
  ParseSession(fragment, whole, target, {}).run(&section);
}

std::unique_ptr<Program> Program::parse(std::string text, const Target &target, const ParseOptions &options) {
  std::optional<RewrittenText> rewritten;
  if (!options.edits.empty())
    rewritten.emplace(text, options.edits);
  const auto parseWith = [&](const std::vector<DecodedData> &decoded, bool isFirst) {
    auto parts = std::make_unique<Parts>(rewritten ? rewritten->text() : text, target);
    parts->asLlvmMca = options.asLlvmMca;
    parts->instructions.reserve(std::min(text.size() / kUsualBytes, kMaxReserved));
    std::unique_ptr<Program> program(new Program(std::move(parts)));
    ParseSession session(*program->parts_, *program->parts_, target, options, isFirst ? program.get() : nullptr,
                         decoded);
    session.run();
    return std::pair(std::move(program), session.takeDecoded());
  };
  auto [program, decoded] = parseWith({}, /*isFirst=*/true);
  if (!decoded.empty() && !options.stop.stop_requested())
    program = parseWith(decoded, /*isFirst=*/false).first;
  if (rewritten) {
    placeInOriginal(*program->parts_, *rewritten);
    program->parts_->text = std::move(text);
    program->parts_->isRewritten = true;
  }
  return std::move(program);
}

} // namespace mca
