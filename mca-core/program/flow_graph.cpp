#include "mca-core/program/flow_graph.h"

#include "llvm/ADT/STLExtras.h"

namespace mca {

FlowGraph::FlowGraph(std::span<const CodeBlock> blocks, llvm::ArrayRef<uint32_t> part, llvm::ArrayRef<uint32_t> roots,
                     KeepsEdge keeps)
    : nodes_(part.size() + 1) {
  for (unsigned number = 0; number < size(); ++number) {
    nodes_[number].graph = this;
    nodes_[number].number = number;
    nodes_[number].block = number ? part[number - 1] : kNone;
  }
  const auto connect = [](FlowNode *from, FlowNode *to) {
    from->successors.push_back(to);
    to->predecessors.push_back(from);
  };
  for (const uint32_t root : roots)
    connect(entry(), nodeOf(root));
  for (FlowNode &from : llvm::drop_begin(nodes_))
    for (const uint32_t successor : blocks[from.block].successors)
      if (FlowNode *to = nodeOf(successor); to && keeps(from.block, successor))
        connect(&from, to);
}

FlowNode *FlowGraph::nodeOf(uint32_t block) {
  // The whole program is the most frequent part.
  if (block + 1 < nodes_.size() && nodes_[block + 1].block == block)
    return &nodes_[block + 1];
  const auto found = llvm::lower_bound(llvm::drop_begin(nodes_), block,
                                       [](const FlowNode &node, uint32_t wanted) { return node.block < wanted; });
  return found != nodes_.end() && found->block == block ? &*found : nullptr;
}

} // namespace mca
