// One descriptor that becomes readable.
#include "lsp/system/process_watch.h"

#include "lsp/system/system.h"

#include <boost/asio/post.hpp>

namespace lsp {

void ProcessWatch::watch(int pid, std::function<void()> gone) {
  process_.reset();
  const int fd = system::openProcessWatch(pid);
  if (fd < 0) {
    boost::asio::post(io_, std::move(gone));
    return;
  }
  process_.emplace(io_, fd);
  process_->async_wait(boost::asio::posix::stream_descriptor::wait_read,
                       [gone = std::move(gone)](boost::system::error_code error) {
                         if (!error)
                           gone();
                       });
}

} // namespace lsp
