#include "beside.hpp"

#include <poll.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <chrono>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <sstream>
#include <stdexcept>
#include <utility>
#include <vector>

#if defined(__SANITIZE_ADDRESS__)
#define ROOFTOP_ADDRESS_SANITIZER 1
#elif defined(__has_feature)
#if __has_feature(address_sanitizer)
#define ROOFTOP_ADDRESS_SANITIZER 1
#endif
#endif
#ifdef ROOFTOP_ADDRESS_SANITIZER
extern "C" void __sanitizer_set_death_callback(void (*)());
extern "C" void __sanitizer_print_stack_trace();
#endif

namespace rooftop::h5io::tests {
namespace {

/// Signal handler: prints the stack and ends the process. SIGUSR1 is sent to a process that hangs; SIGABRT and SIGALRM
/// come from abort() and the system.
void tell_stack(int signal) {
  std::fprintf(stderr, "signal %d\n", signal);
#ifdef ROOFTOP_ADDRESS_SANITIZER
  __sanitizer_print_stack_trace();
#endif
  _exit(99);
}

/// Whether the process ended in a call of the HDF5 library, by the innermost frames of the stack. Frames of the signal
/// handler are skipped, and so are up to three frames of this program below them: the sanitizer is linked into it, and
/// replaces the malloc() and memcpy() that the library calls.
bool is_in_library(const std::string& report) {
  std::istringstream lines(report);
  std::vector<char> frames;  // l: the HDF5 library, o: this program, c: the C library or another one
  bool by_signal = false;
  for (std::string line; std::getline(lines, line);) {
    if (line.rfind("signal ", 0) == 0) by_signal = true;
    const std::size_t begin = line.find_first_not_of(' ');
    if (begin == std::string::npos || line[begin] != '#') continue;
    if (line.compare(begin, 3, "#0 ") == 0 && !frames.empty()) break;  // the next stack is that of the allocation
    const bool library = line.find("libhdf5") != std::string::npos;
    frames.push_back(library ? 'l' : line.find("fuzz_") != std::string::npos ? 'o' : 'c');
  }
  // No stack: the process was killed for its use of memory, or its stack was overwritten. This program does neither.
  if (frames.empty()) return true;
  std::size_t top = 0;
  if (by_signal) {
    while (top + 1 < frames.size() && frames[top] != 'c') ++top;
  }
  while (top + 1 < frames.size() && frames[top] == 'c') ++top;
  for (std::size_t i = top; i < frames.size() && i < top + 4; ++i) {
    if (frames[i] == 'l') return true;
  }
  return false;
}

/// Waits for at most `most` until a pipe has data or is closed. Continues if libFuzzer's alarm interrupts poll().
bool answers(int pipe, std::chrono::milliseconds most) {
  using Clock = std::chrono::steady_clock;
  const auto end = Clock::now() + most;
  for (;;) {
    const auto left = std::chrono::ceil<std::chrono::milliseconds>(end - Clock::now()).count();
    if (left <= 0) return false;
    pollfd waited{pipe, POLLIN, 0};
    const int ready = poll(&waited, 1, static_cast<int>(left));
    if (ready > 0) return true;
    if (ready < 0 && errno != EINTR) throw std::runtime_error("no word from another process");
  }
}

}  // namespace

Beside::Beside(std::size_t room, std::function<void(const std::uint8_t*, std::size_t)> work,
               std::chrono::milliseconds most)
    : work_(std::move(work)), room_(room), most_(most) {
  void* const memory =
      mmap(nullptr, sizeof(std::size_t) + room, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
  heard_ = memfd_create("beside", MFD_CLOEXEC);
  if (memory == MAP_FAILED || heard_ < 0) throw std::runtime_error("no memory to share with another process");
  shared_ = static_cast<std::uint8_t*>(memory);
}

Beside::~Beside() {
  if (process_ > 0) {
    kill(process_, SIGKILL);
    waitpid(process_, nullptr, 0);
    close(to_);
    close(from_);
  }
  close(heard_);
  munmap(shared_, sizeof(std::size_t) + room_);
}

void Beside::serve() {
  prctl(PR_SET_PDEATHSIG, SIGKILL);
  dup2(heard_, STDERR_FILENO);
#ifdef ROOFTOP_ADDRESS_SANITIZER
  __sanitizer_set_death_callback(nullptr);  // libFuzzer's callback would store the input as a finding
#endif
  for (const int one : {SIGUSR1, SIGABRT, SIGALRM}) std::signal(one, tell_stack);
  std::uint8_t word = 0;
  while (read(to_, &word, 1) == 1) {
    std::size_t size = 0;
    std::memcpy(&size, shared_, sizeof size);
    work_(shared_ + sizeof size, size);
    if (write(from_, &word, 1) != 1) break;
  }
  _exit(0);
}

void Beside::start() {
  std::array<int, 2> down{}, up{};
  if (pipe(down.data()) != 0 || pipe(up.data()) != 0) throw std::runtime_error("no pipe to another process");
  if (ftruncate(heard_, 0) != 0 || lseek(heard_, 0, SEEK_SET) != 0) throw std::runtime_error("no file for its words");
  process_ = fork();
  if (process_ < 0) throw std::runtime_error("no other process");
  to_ = process_ == 0 ? down[0] : down[1];
  from_ = process_ == 0 ? up[1] : up[0];
  close(process_ == 0 ? down[1] : down[0]);
  close(process_ == 0 ? up[0] : up[1]);
  if (process_ == 0) serve();
}

Came Beside::run(const std::uint8_t* data, std::size_t size) {
  if (process_ < 0) start();
  size = size < room_ ? size : room_;
  std::memcpy(shared_, &size, sizeof size);
  if (size > 0) std::memcpy(shared_ + sizeof size, data, size);
  std::uint8_t word = 1;
  std::signal(SIGPIPE, SIG_IGN);
  if (write(to_, &word, 1) != 1) return ended(false);
  if (!answers(from_, most_)) return ended(true);
  return read(from_, &word, 1) == 1 ? Came::whole : ended(false);
}

Came Beside::ended(bool hung) {
  if (hung) {
    kill(process_, SIGUSR1);
    for (int i = 0; i < 100 && waitpid(process_, nullptr, WNOHANG) == 0; ++i) usleep(20'000);
    kill(process_, SIGKILL);
  }
  waitpid(process_, nullptr, 0);
  close(to_);
  close(from_);
  process_ = -1;
  const off_t end = lseek(heard_, 0, SEEK_END);
  said_.assign(static_cast<std::size_t>(end > 0 ? end : 0), '\0');
  if (pread(heard_, said_.data(), said_.size(), 0) < 0) said_.clear();
  return is_in_library(said_) ? Came::by_library : Came::by_us;
}

}  // namespace rooftop::h5io::tests
