// The basic blocks of a program and the edges between them.
//
// Blocks follow the layout of each section. A branch to a label of the text is an edge, and an indirect jump goes to
// all addresses of the table that it is computed from, if the text has that table. Calls end a block only if they do
// not return.
#pragma once

#include "mca-core/program/branches.h"

#include "llvm/ADT/SmallVector.h"

#include <cstdint>
#include <span>
#include <vector>

namespace mca {

/// Successors and predecessors are indices in CodeBlocks::all(), each once.
struct CodeBlock {
  std::span<const uint32_t> instructions; ///< indices in the program, in layout order; a part of CodeBlocks
  uint32_t last = 0;                      ///< the branch that ends the block, or what comes before another block
  llvm::SmallVector<uint32_t, 2> successors = {};
  llvm::SmallVector<uint32_t, 2> predecessors = {};
  bool isEntry = false; ///< the first of a function or a section
};

/// Refers to the branches, which must outlive it.
class CodeBlocks {
public:
  explicit CodeBlocks(const ProgramBranches &branches);
  CodeBlocks(const CodeBlocks &) = delete; // the blocks refer to the layout

  const ProgramBranches &branches() const { return branches_; }
  /// In layout order: the program's sections one after the other.
  std::span<const CodeBlock> all() const { return blocks_; }
  const CodeBlock &at(uint32_t block) const { return blocks_[block]; }
  uint32_t size() const { return static_cast<uint32_t>(blocks_.size()); }
  /// The block that holds an instruction.
  uint32_t blockOf(uint32_t instruction) const { return blockOf_[instruction - branches_.first()]; }

private:
  void layOut();
  void makeBlocks();
  void connect();
  void addJump(uint32_t block);
  void addEdge(uint32_t from, uint32_t to);
  uint32_t firstUnchanged(uint32_t block) const;

  const ProgramBranches &branches_;
  std::vector<uint32_t> layout_; ///< the program's instructions, section by section
  std::vector<CodeBlock> blocks_;
  std::vector<uint32_t> blockOf_; ///< by instruction, from the first of the branches on
};

/// The control flow of a program: found once and handed on.
struct ControlFlow {
  /// `first`: as of ProgramBranches.
  ControlFlow(const Target &target, const Program &program, uint32_t first = 0)
      : branches(target, program, first), blocks(branches) {}
  ControlFlow(const ControlFlow &) = delete;

  const Target &target() const { return branches.target(); }
  const Program &program() const { return branches.program(); }

  const ProgramBranches branches;
  const CodeBlocks blocks;
};

} // namespace mca
