// Move elimination and known zeros, as in RegisterFile::tryEliminateMoveOrSwap and addRegisterWrite.
#include "mca-core/engine/register_state.h"

#include <algorithm>

namespace mca {

void RegisterState::reset(const Body &body) {
  body_ = &body;
  writers_.assign(body.cellCount, {});
  aliases_.assign(body.moves.empty() ? 0 : body.cellCount, kNoAlias);
  zero_.assign(body.cellCount, 0);
  movesEliminated_.assign(body.files.size(), 0);
  moved_ = false;
  RegisterCounts limits, limited;
  for (size_t file = 0; file < RegisterCounts::kFiles; ++file) {
    const uint32_t size = file < body.files.size() ? body.files[file].size : 0;
    // More than kMaxCount registers can never be in use.
    limits.add(file, size ? std::min(size, RegisterCounts::kMaxCount) : RegisterCounts::kMaxCount);
    limited.add(file, size ? 0xFFFF : 0);
  }
  used_ = 0;
  limits_ = limits.lanes | kHighest;
  limited_ = limited.lanes;
}

/// All conditions that do not change while the region runs are checked in BodyBuilder::addMoves. An alias of an alias
/// refers to the origin, so that chains of moves stay one step long.
bool RegisterState::eliminate(const BodyInstruction &instruction) {
  const uint32_t count = instruction.moves.count;
  if (!count)
    return false;
  const RegisterFileLimits &file = body_->files[instruction.moveFile];
  uint32_t &moved = movesEliminated_[instruction.moveFile];
  if (file.maxMovesEliminated && moved + count > file.maxMovesEliminated)
    return false;
  const auto moves = Body::slice(body_->moves, instruction.moves);
  if (file.zeroMovesOnly)
    for (const BodyMove &move : moves)
      if (!isZero(move.read))
        return false;
  zeros_ = 0;
  for (const BodyMove &move : moves) {
    const bool sourceIsAlias = move.sourceCell != kNoCell && aliases_[move.sourceCell] != kNoAlias;
    const uint16_t source = sourceIsAlias ? aliases_[move.sourceCell] : move.source;
    for (const Cell cell : Body::slice(body_->cells, move.targets))
      aliases_[cell] = source;
    zeros_ |= uint32_t(isZero(move.read)) << move.write;
    ++moved;
  }
  moved_ = true;
  return true;
}

/// Updates which registers hold a known zero: the results of zero idioms, and of eliminated moves that forward a zero.
void RegisterState::defineZeros(const BodyInstruction &instruction, bool eliminated) {
  for (uint32_t i = 0; i < instruction.writes.count; ++i) {
    const BodyWrite &write = body_->writes[instruction.writes.first + i];
    const bool zero = write.writesZero || (eliminated && (zeros_ >> i & 1));
    for (const Cell cell : Body::slice(body_->cells, write.zeros))
      zero_[cell] = zero;
  }
}

} // namespace mca
