// The virtual documents that the editor has asked for, timelines among them, and what they say.
//
// A document belongs to a buffer and follows it: each finished analysis makes it anew, and the line that it is about
// moves with the edits. It is remembered until the editor closes it or the buffer, or until the buffer has too many:
// the one asked for longest ago goes then.
#pragma once

#include "analysis/wire/messages.h"
#include "lsp/protocol/virtual_uri.h"
#include "lsp/workspace/line_shift.h"
#include "lsp/workspace/text.h"

#include <optional>
#include <span>
#include <string>
#include <vector>

namespace lsp {

/// A line of a virtual document that stands for a line of the buffer. Both are 0-based; of a timeline the first is the
/// position of an instruction.
struct LineLink {
  uint32_t line = 0;
  uint32_t bufferLine = 0;
};

/// A picture that the editor draws.
struct TimelinePicture {
  std::string title; ///< the region's name
  std::string cpu;
  double cyclesPerIteration = 0; ///< of the machine code
  analysis::wire::Timeline timeline;
  bool operator==(const TimelinePicture &) const = default;
};

/// What a document says.
struct VirtualText {
  std::string text;            ///< of a timeline: why there is none
  std::vector<LineLink> links; ///< to lines of the present buffer
  TimelinePicture picture;     ///< of a timeline
};

/// An assembly document.
struct Listing {
  std::string uri; ///< as the client spells it
  const std::vector<LineLink> *links = nullptr;
};

class VirtualDocuments {
public:
  /// Remembers the document, about the line of its name where it is new, or `retarget` says so.
  void open(const protocol::VirtualUri &uri, const std::string &spelling, bool retarget);
  void close(const protocol::VirtualUri &uri);
  void closeAllOf(const std::string &buffer);
  bool has(const protocol::VirtualUri &uri) const { return find(uri) != nullptr; }

  /// No value before the first analysis with it.
  const VirtualText *textOf(const protocol::VirtualUri &uri) const;
  /// The lines of a document and those of its buffer that they stand for; null when there are none yet.
  const std::vector<LineLink> *linksOf(const protocol::VirtualUri &uri) const;
  /// The assembly documents of a buffer that have a text.
  std::vector<Listing> listingsOf(const std::string &buffer) const;

  void edited(const std::string &buffer, std::span<const LineShift> shifts);
  /// Those of a buffer, which its next job makes.
  std::vector<protocol::VirtualUri> allOf(const std::string &buffer) const;
  /// The requests for such documents, with the present text of the buffer.
  std::vector<analysis::wire::DocumentRequest> requests(const std::vector<protocol::VirtualUri> &uris,
                                                        const Text &text) const;
  /// Stores what was made of such documents after a job; the buffer was edited since it started. The documents that
  /// changed, as the client spells them.
  std::vector<std::string> jobFinished(const std::vector<protocol::VirtualUri> &uris,
                                       std::vector<VirtualText> documents, std::span<const LineShift> edits);
  /// Makes all documents of the buffer that have no text yet say this. Those, as the client spells them.
  std::vector<std::string> setPlaceholderText(const std::string &buffer, const std::string &text);

private:
  struct Entry {
    protocol::VirtualUri uri;
    std::string spelling;
    uint32_t line = 0; ///< in the present buffer
    std::optional<VirtualText> text;
    uint64_t opened = 0; ///< a later one is higher
  };

  Entry *find(const protocol::VirtualUri &uri);
  const Entry *find(const protocol::VirtualUri &uri) const;
  void dropOldest(const std::string &buffer);

  std::vector<Entry> entries_;
  uint64_t opened_ = 0;
};

} // namespace lsp
