// What a hostile folder would like to have loaded: it says that it was.
#include <fcntl.h>
#include <unistd.h>

__attribute__((constructor)) static void leaveTrace() {
  close(open("TRACE", O_CREAT | O_WRONLY, 0600));
}
