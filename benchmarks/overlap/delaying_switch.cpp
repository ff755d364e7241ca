// delaying_switch DELAY_us NAMESPACE…: an Ethernet switch that hands every frame on so much later. Gives each network
// namespace a TAP device eth0 as its port, says "ready", and ends with its parent or on SIGTERM.
#include <fcntl.h>
#include <linux/if_tun.h>
#include <net/if.h>
#include <poll.h>
#include <sched.h>
#include <sys/ioctl.h>
#include <sys/prctl.h>
#include <unistd.h>

#include <array>
#include <chrono>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <deque>
#include <map>
#include <stdexcept>
#include <string>
#include <system_error>
#include <vector>

namespace {

using Clock = std::chrono::steady_clock;
using Address = std::array<unsigned char, 6>;

// Before each frame is what its sender left undone: checksums, which memory does not need and would cost as much as a
// copy.
constexpr std::size_t before_frame = 10;  // sizeof(virtio_net_hdr); its header is not C++
constexpr std::size_t longest_frame = 65'536 + 18 + before_frame;
constexpr std::size_t most_under_way = 16'384;  // a gigabyte at most; what comes beyond is dropped, as switches do

int checked(int result, const std::string& what) {
  if (result < 0) throw std::system_error(errno, std::generic_category(), what);
  return result;
}

/// A TAP device in a namespace, which it keeps as long as the descriptor is open.
int open_port(const std::string& name) {
  const int home = checked(open("/proc/self/ns/net", O_RDONLY | O_CLOEXEC), "own namespace");
  const int there = checked(open(("/var/run/netns/" + name).c_str(), O_RDONLY | O_CLOEXEC), name);
  checked(setns(there, CLONE_NEWNET), name);
  const int port = checked(open("/dev/net/tun", O_RDWR | O_NONBLOCK | O_CLOEXEC), "/dev/net/tun");
  ifreq request{};
  request.ifr_flags = IFF_TAP | IFF_NO_PI | IFF_VNET_HDR;
  std::strncpy(request.ifr_name, "eth0", IFNAMSIZ - 1);
  checked(ioctl(port, TUNSETIFF, &request), "eth0 of " + name);
  checked(ioctl(port, TUNSETOFFLOAD, TUN_F_CSUM), "checksums of " + name);
  checked(setns(home, CLONE_NEWNET), "own namespace");
  close(there);
  close(home);
  return port;
}

struct Frame {
  Clock::time_point due;
  std::size_t from, size;
  std::vector<unsigned char> bytes;
};

class Switch {
 public:
  Switch(Clock::duration delay, std::vector<int> ports) : delay_(delay) {
    for (const int port : ports) polled_.push_back({port, POLLIN, 0});
  }

  [[noreturn]] void run() {
    for (;;) {
      while (!under_way_.empty() && under_way_.front().due <= Clock::now()) hand_on();
      wait();
      for (std::size_t port = 0; port < polled_.size(); ++port) take_in(port);
    }
  }

 private:
  void wait() {
    timespec left{};
    if (!under_way_.empty()) {
      const auto ns = std::chrono::nanoseconds(under_way_.front().due - Clock::now()).count();
      if (ns > 0) left = {ns / 1'000'000'000, ns % 1'000'000'000};
    }
    ppoll(polled_.data(), polled_.size(), under_way_.empty() ? nullptr : &left, nullptr);
  }

  /// The delay is the same for all frames: they leave in the order in which they came.
  void take_in(std::size_t port) {
    constexpr int at_a_time = 64;
    for (int i = 0; i < at_a_time; ++i) {
      if (free_.empty()) free_.emplace_back(longest_frame);
      const ssize_t size = read(polled_[port].fd, free_.back().data(), longest_frame);
      if (size < static_cast<ssize_t>(before_frame) + 14) return;
      if (under_way_.size() == most_under_way) continue;
      under_way_.push_back({Clock::now() + delay_, port, static_cast<std::size_t>(size), std::move(free_.back())});
      free_.pop_back();
    }
  }

  void hand_on() {
    Frame& frame = under_way_.front();
    Address to{}, from{};
    std::memcpy(to.data(), frame.bytes.data() + before_frame, to.size());
    std::memcpy(from.data(), frame.bytes.data() + before_frame + to.size(), from.size());
    port_of_[from] = frame.from;
    const auto known = port_of_.find(to);
    for (std::size_t port = 0; port < polled_.size(); ++port) {
      if (port == frame.from || (known != port_of_.end() && known->second != port)) continue;
      // A port that takes no more loses the frame; TCP sends it again.
      [[maybe_unused]] const ssize_t written = write(polled_[port].fd, frame.bytes.data(), frame.size);
    }
    free_.push_back(std::move(frame.bytes));
    under_way_.pop_front();
  }

  Clock::duration delay_;
  std::vector<pollfd> polled_;
  std::deque<Frame> under_way_;
  std::map<Address, std::size_t> port_of_;
  std::vector<std::vector<unsigned char>> free_;  ///< the last one used is still in a cache
};

}  // namespace

int main(int argc, char** argv) {
  if (argc < 3) return std::fputs("usage: delaying_switch DELAY_us NAMESPACE…\n", stderr), 2;
  try {
    prctl(PR_SET_PDEATHSIG, SIGTERM);
    prctl(PR_SET_TIMERSLACK, 1);
    const sched_param first{.sched_priority = 1};
    sched_setscheduler(0, SCHED_FIFO, &first);  // where it may not, frames are later than asked
    std::vector<int> ports;
    for (int i = 2; i < argc; ++i) ports.push_back(open_port(argv[i]));
    std::puts("ready");
    std::fflush(stdout);
    Switch(std::chrono::microseconds(std::stol(argv[1])), ports).run();
  } catch (const std::exception& error) {
    return std::fprintf(stderr, "delaying_switch: %s\n", error.what()), 1;
  }
}
