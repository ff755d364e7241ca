// links RATE_mbit DELAY_us NAMESPACE…: the links of hosts that are network namespaces. What netfilter queues for a
// namespace (its queue 0) is handed to it so much later, and no more of it a second than a link lets through. Says
// "ready", and ends with its parent or on SIGTERM.
//
// Packets stay in the kernel, whole segments of TCP of up to 64 KiB; what comes here are their lengths.
#include <arpa/inet.h>
#include <fcntl.h>
#include <libmnl/libmnl.h>
#include <libnetfilter_queue/libnetfilter_queue.h>
#include <linux/netfilter.h>
#include <linux/netfilter/nfnetlink_queue.h>
#include <poll.h>
#include <sched.h>
#include <sys/prctl.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <chrono>
#include <csignal>
#include <cstdio>
#include <cstring>
#include <deque>
#include <memory>
#include <stdexcept>
#include <string>
#include <string_view>
#include <system_error>
#include <thread>
#include <vector>

namespace {

using Clock = std::chrono::steady_clock;
using namespace std::chrono_literals;

// Packets are handed on at ticks, up to one later than asked. Timers are dear in a virtual machine: the pipelined FT
// took 1.2 to 1.4 times as long with ticks of 100 µs (scratch runs, two hosts, 6.4 Gbit/s).
constexpr Clock::duration tick = 250us;
constexpr std::uint16_t queue = 0;
constexpr std::uint32_t most_under_way = 65'536;
constexpr std::uint32_t header_bytes = 20;  // of an IP packet

int checked(int result, const std::string& what) {
  if (result < 0) throw std::system_error(errno, std::generic_category(), what);
  return result;
}

mnl_socket* netfilter_of(const std::string& name) {
  const int home = checked(open("/proc/self/ns/net", O_RDONLY | O_CLOEXEC), "own namespace");
  const int there = checked(open(("/var/run/netns/" + name).c_str(), O_RDONLY | O_CLOEXEC), name);
  checked(setns(there, CLONE_NEWNET), name);
  mnl_socket* const socket = mnl_socket_open2(NETLINK_NETFILTER, SOCK_CLOEXEC | SOCK_NONBLOCK);
  checked(socket == nullptr ? -1 : mnl_socket_bind(socket, 0, MNL_SOCKET_AUTOPID), "netfilter of " + name);
  checked(setns(home, CLONE_NEWNET), "own namespace");
  close(there);
  close(home);
  return socket;
}

/// A namespace's link, and what is under way on it in the order in which it came.
class Link {
 public:
  Link(const std::string& name, double bytes_per_second)
      : socket_(netfilter_of(name), mnl_socket_close), bytes_per_second_(bytes_per_second) {
    std::array<char, 1024> buffer{};
    nlmsghdr* const mine = nfq_nlmsg_put(buffer.data(), NFQNL_MSG_CONFIG, queue);
    nfq_nlmsg_cfg_put_cmd(mine, AF_INET, NFQNL_CFG_CMD_BIND);
    tell(mine);
    nlmsghdr* const terms = nfq_nlmsg_put(buffer.data(), NFQNL_MSG_CONFIG, queue);
    nfq_nlmsg_cfg_put_params(terms, NFQNL_COPY_PACKET, header_bytes);
    nfq_nlmsg_cfg_put_qmaxlen(terms, most_under_way);
    // Segments come whole, with what their sender left to the adapter undone.
    mnl_attr_put_u32(terms, NFQA_CFG_FLAGS, htonl(NFQA_CFG_F_GSO));
    mnl_attr_put_u32(terms, NFQA_CFG_MASK, htonl(NFQA_CFG_F_GSO));
    tell(terms);
    const int room = 64 << 20;
    checked(setsockopt(descriptor(), SOL_SOCKET, SO_RCVBUFFORCE, &room, sizeof room), "room for " + name);
  }

  [[nodiscard]] int descriptor() const { return mnl_socket_get_fd(socket_.get()); }
  [[nodiscard]] bool idle() const { return under_way_.empty(); }

  /// Takes note of what came up to now, this tick.
  void take_in(Clock::time_point now) {
    now_ = now;
    std::array<char, 4096> buffer;
    for (;;) {
      const ssize_t size = recv(descriptor(), buffer.data(), buffer.size(), 0);
      if (size <= 0) return;
      mnl_cb_run(buffer.data(), static_cast<std::size_t>(size), 0, 0, note, this);
    }
  }

  /// Hands on what came before `due`, as much as may pass in the time since the last call.
  void hand_on(Clock::time_point due, Clock::duration since) {
    may_pass_ += bytes_per_second_ * std::chrono::duration<double>(since).count();
    bool any = false;
    std::uint32_t newest = 0;
    const auto waits = [&] { return !under_way_.empty() && under_way_.front().came <= due; };
    // A packet passes as long as the one before it is through: what it is longer than what is left counts afterwards.
    for (; waits() && may_pass_ > 0; under_way_.pop_front()) {
      may_pass_ -= under_way_.front().bytes;
      newest = under_way_.front().number;
      any = true;
    }
    if (!waits()) may_pass_ = std::min(may_pass_, 0.0);  // what nobody used is not saved up
    if (!any) return;
    std::array<char, 256> buffer{};
    nlmsghdr* const verdict = nfq_nlmsg_put(buffer.data(), NFQNL_MSG_VERDICT_BATCH, queue);
    nfq_nlmsg_verdict_put(verdict, static_cast<int>(newest), NF_ACCEPT);
    tell(verdict);
  }

 private:
  struct Packet {
    Clock::time_point came;
    double bytes;
    std::uint32_t number;
  };

  static int note(const nlmsghdr* message, void* link) {
    std::array<nlattr*, NFQA_MAX + 1> found{};
    if (nfq_nlmsg_parse(message, found.data()) < 0 || found[NFQA_PACKET_HDR] == nullptr) return MNL_CB_OK;
    nfqnl_msg_packet_hdr header{};
    std::memcpy(&header, mnl_attr_get_payload(found[NFQA_PACKET_HDR]), sizeof header);
    // A packet that is no longer than what comes here has its length not told apart.
    const nlattr* const length = found[NFQA_CAP_LEN];
    const double bytes = length == nullptr ? header_bytes : ntohl(mnl_attr_get_u32(length));
    auto& self = *static_cast<Link*>(link);
    self.under_way_.push_back({self.now_, bytes, ntohl(header.packet_id)});
    return MNL_CB_OK;
  }

  void tell(const nlmsghdr* message) {
    checked(static_cast<int>(mnl_socket_sendto(socket_.get(), message, message->nlmsg_len)), "netfilter");
  }

  std::unique_ptr<mnl_socket, int (*)(mnl_socket*)> socket_;
  std::deque<Packet> under_way_;
  double bytes_per_second_;
  double may_pass_ = 0;  ///< bytes
  Clock::time_point now_;
};

[[noreturn]] void run(std::vector<Link>& links, Clock::duration delay) {
  std::vector<pollfd> polled;
  for (const Link& link : links) polled.push_back({link.descriptor(), POLLIN, 0});
  for (Clock::time_point now = Clock::now();;) {
    const Clock::time_point before = now;
    if (std::all_of(links.begin(), links.end(), [](const Link& link) { return link.idle(); })) {
      poll(polled.data(), polled.size(), -1);
    }
    now = std::max(before + tick, Clock::now());
    std::this_thread::sleep_until(now);
    for (Link& link : links) {
      link.take_in(now);
      link.hand_on(now - delay, now - before);
    }
  }
}

long number(std::string_view word) {
  long value = 0;
  const auto [end, error] = std::from_chars(word.begin(), word.end(), value);
  if (error != std::errc{} || end != word.end() || value < 0)
    throw std::invalid_argument(std::string(word) + " is no number");
  return value;
}

}  // namespace

int main(int argc, char** argv) {
  if (argc < 4) return std::fputs("usage: links RATE_mbit DELAY_us NAMESPACE…\n", stderr), 2;
  try {
    prctl(PR_SET_PDEATHSIG, SIGTERM);
    prctl(PR_SET_TIMERSLACK, 1);
    const sched_param first{.sched_priority = 1};
    sched_setscheduler(0, SCHED_FIFO, &first);  // where it may not, packets are later than asked
    const double bytes_per_second = static_cast<double>(number(argv[1])) * 1e6 / 8;
    const std::chrono::microseconds delay(number(argv[2]));
    std::vector<Link> links;
    for (int i = 3; i < argc; ++i) links.emplace_back(argv[i], bytes_per_second);
    std::puts("ready");
    std::fflush(stdout);
    run(links, delay);
  } catch (const std::exception& error) {
    return std::fprintf(stderr, "links: %s\n", error.what()), 1;
  }
}
