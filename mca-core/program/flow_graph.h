// Basic blocks as LLVM's algorithms for graphs see them: its dominator tree (llvm/Support/GenericDomTree.h) and its
// strongly connected components (llvm/ADT/SCCIterator.h) work on what has llvm::GraphTraits.
#pragma once

#include "mca-core/program/code_blocks.h"

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/GraphTraits.h"
#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/iterator.h"
#include "llvm/Support/raw_ostream.h"

#include <cstdint>
#include <span>
#include <vector>

namespace mca {

class FlowGraph;

struct FlowNode {
  FlowGraph *graph = nullptr;
  uint32_t block = kNone; ///< index in CodeBlocks::all(); kNone for the graph's entry
  unsigned number = 0;
  llvm::SmallVector<FlowNode *, 2> successors = {};
  llvm::SmallVector<FlowNode *, 2> predecessors = {};

  // NOLINTBEGIN(readability-identifier-naming): LLVM's names
  FlowGraph *getParent() const { return graph; }
  void printAsOperand(llvm::raw_ostream &out, bool) const { out << block; }
  // NOLINTEND(readability-identifier-naming)
};

/// Some of the blocks with the edges between them, and a node before all: the entry.
class FlowGraph {
public:
  using KeepsEdge = llvm::function_ref<bool(uint32_t from, uint32_t to)>;

  /// `part`: the blocks, ascending. `roots`: those of them to which there is an edge from the entry.
  FlowGraph(std::span<const CodeBlock> blocks, llvm::ArrayRef<uint32_t> part, llvm::ArrayRef<uint32_t> roots,
            KeepsEdge keeps);
  FlowGraph(const FlowGraph &) = delete;

  FlowNode *entry() { return nodes_.data(); }
  /// Null if it is not in the part.
  FlowNode *nodeOf(uint32_t block);
  std::vector<FlowNode> &nodes() { return nodes_; }
  unsigned size() const { return static_cast<unsigned>(nodes_.size()); }

private:
  std::vector<FlowNode> nodes_; ///< the entry first, then the part
};

} // namespace mca

// NOLINTBEGIN(readability-identifier-naming): LLVM's names
template <>
struct llvm::GraphTraits<::mca::FlowNode *> {
  using NodeRef = ::mca::FlowNode *;
  using ChildIteratorType = ::mca::FlowNode *const *;
  static NodeRef getEntryNode(NodeRef node) { return node; }
  static ChildIteratorType child_begin(NodeRef node) { return node->successors.begin(); }
  static ChildIteratorType child_end(NodeRef node) { return node->successors.end(); }
  static unsigned getNumber(const ::mca::FlowNode *node) { return node->number; }
};

template <>
struct llvm::GraphTraits<const ::mca::FlowNode *> : llvm::GraphTraits<::mca::FlowNode *> {};

template <>
struct llvm::GraphTraits<llvm::Inverse<::mca::FlowNode *>> {
  using NodeRef = ::mca::FlowNode *;
  using ChildIteratorType = ::mca::FlowNode *const *;
  static ChildIteratorType child_begin(NodeRef node) { return node->predecessors.begin(); }
  static ChildIteratorType child_end(NodeRef node) { return node->predecessors.end(); }
};

template <>
struct llvm::GraphTraits<::mca::FlowGraph *> : llvm::GraphTraits<::mca::FlowNode *> {
  static NodeRef getEntryNode(::mca::FlowGraph *graph) { return graph->entry(); }
  using nodes_iterator = llvm::pointer_iterator<std::vector<::mca::FlowNode>::iterator>;
  static nodes_iterator nodes_begin(::mca::FlowGraph *graph) { return nodes_iterator(graph->nodes().begin()); }
  static nodes_iterator nodes_end(::mca::FlowGraph *graph) { return nodes_iterator(graph->nodes().end()); }
  static unsigned getMaxNumber(const ::mca::FlowGraph *graph) { return graph->size(); }
  static unsigned getNumberEpoch(const ::mca::FlowGraph *) { return 0; }
};
// NOLINTEND(readability-identifier-naming)
