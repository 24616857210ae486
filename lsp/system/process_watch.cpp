// A descriptor of the process (pidfd_open(2)) becomes readable when it ends. Unlike kill(pid, 0) at intervals it needs
// no timer, and another process that gets the number later is not taken for this one.
#include "lsp/system/process_watch.h"

#include <boost/asio/post.hpp>
#include <sys/syscall.h>
#include <unistd.h>

namespace lsp {

void ProcessWatch::watch(int pid, std::function<void()> gone) {
  process_.reset();
  const int fd = static_cast<int>(syscall(SYS_pidfd_open, pid, 0));
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
