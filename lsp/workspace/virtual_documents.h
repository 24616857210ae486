// The virtual documents that the editor has requested, timelines among them, and their contents.
//
// A document belongs to a buffer and follows it: each finished analysis makes it again, and the line that it is about
// moves with the edits. It is kept until the editor closes it or the buffer, or until the buffer has too many: then the
// one requested longest ago is dropped.
#pragma once

#include "lsp/protocol/virtual_uri.h"
#include "lsp/workspace/line_edit.h"

#include <map>

namespace lsp {

/// A line of a virtual document that stands for a line of the buffer. Both are 0-based. In a timeline, `line` is the
/// position of an instruction; those of its trace follow the others.
struct LineLink {
  uint32_t line = 0;
  uint32_t bufferLine = 0;
};

/// A picture that the editor draws.
struct TimelinePicture {
  std::string title; ///< the region's name
  std::string cpu;
  double cyclesPerIteration = 0; ///< of the machine code
  wire::Timeline timeline;
  std::string traceName;  ///< "along the trace kern.mcatrace"; empty if there is none
  double traceCycles = 0; ///< as cyclesPerIteration
  wire::TraceTimeline trace;
  bool operator==(const TimelinePicture &) const = default;
};

/// The contents of a document.
struct VirtualText {
  std::string text;            ///< of a timeline: why there is none
  std::vector<LineLink> links; ///< to lines of the present buffer
  TimelinePicture picture;     ///< of a timeline
};

/// An assembly document. Valid until the documents change.
struct Listing {
  std::string uri; ///< as the client spells it
  const std::vector<LineLink> *links = nullptr;
};

class VirtualDocuments {
public:
  /// Keeps the document until it is closed, or has a text and is the one of eight of its buffer that was opened longest
  /// ago. If it is new, or with `retarget`, it is about the line in its name.
  void open(const protocol::VirtualUri &uri, const std::string &spelling, bool retarget);
  void close(const protocol::VirtualUri &uri);
  void closeAllOf(const std::string &buffer) { buffers_.erase(buffer); }
  bool has(const protocol::VirtualUri &uri) const { return find(uri) != nullptr; }

  /// Null before the first analysis with it.
  const VirtualText *textOf(const protocol::VirtualUri &uri) const;
  /// The links of that text; null if there is none yet.
  const std::vector<LineLink> *linksOf(const protocol::VirtualUri &uri) const {
    const VirtualText *text = textOf(uri);
    return text ? &text->links : nullptr;
  }
  /// The assembly documents of a buffer that have a text.
  std::vector<Listing> listingsOf(const std::string &buffer) const;

  /// Lines and links follow the edits of the buffer.
  void edited(const std::string &buffer, std::span<const LineShift> shifts);
  /// The documents of a buffer that its next job makes.
  std::vector<protocol::VirtualUri> allOf(const std::string &buffer) const;
  /// The requests to the worker for such documents; `text` is the present one of the buffer.
  std::vector<wire::DocumentRequest> requests(const std::vector<protocol::VirtualUri> &uris, const Text &text) const;
  /// Stores the documents that a job made; `edits` are those of the buffer since it started. Returns the documents that
  /// changed, as the client spells them.
  std::vector<std::string> jobFinished(const std::vector<protocol::VirtualUri> &uris,
                                       std::vector<VirtualText> documents, std::span<const LineShift> edits);
  /// Stores the text of one document, which no job makes. Returns it as the client spells it; empty if it was closed.
  std::string setText(const protocol::VirtualUri &uri, std::string text);
  /// Stores `text` in all documents of the buffer that have none yet. Returns those, as the client spells them.
  std::vector<std::string> setPlaceholderText(const std::string &buffer, const std::string &text);

private:
  struct Entry {
    protocol::VirtualUri uri;
    std::string spelling;
    uint32_t line = 0; ///< in the present buffer
    std::optional<VirtualText> text;
    uint64_t opened = 0; ///< a later one is higher
  };

  static void forgetOldest(std::vector<Entry> &entries);
  /// The documents of a buffer, in the order in which they were requested first.
  const std::vector<Entry> &of(const std::string &buffer) const;
  /// Null if there is no such document.
  const Entry *find(const protocol::VirtualUri &uri) const;

  std::map<std::string, std::vector<Entry>> buffers_;
  uint64_t opened_ = 0;
};

} // namespace lsp
