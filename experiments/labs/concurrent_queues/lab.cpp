/// Concurrent queues: threads that put a value in and take one out by turns, with one lock, with two, and with none.
#include <array>
#include <atomic>
#include <mutex>
#include <rooftop/delay.hpp>
#include <rooftop/lab.hpp>

namespace {

/// Each thread does `pairs` pairs of operations, with `cycles` cycles of work after each.
class Queues final : public rooftop::Lab {
 public:
  struct Parameters {
    std::int64_t pairs, cycles;
  };
  static constexpr std::array fields{rooftop::field<&Parameters::pairs>("pairs", 1, 1 << 24),
                                     rooftop::field<&Parameters::cycles>("cycles", 0, 1 << 20)};
  static std::vector<Parameters> checks() { return {{.pairs = 1, .cycles = 0}, {.pairs = 401, .cycles = 5}}; }

  Queues(const Parameters& given, const rooftop::Setting& setting)
      : parameters(given), threads(setting.threads), taken(static_cast<std::size_t>(given.pairs * setting.threads)) {}

  void poison() override { taken.assign(taken.size(), ~std::uint64_t{0}); }
  void spoil() override { taken.back() ^= 1U; }

  /// A linearizable queue: each value comes out once, and those of one thread come to each taker in order.
  [[nodiscard]] rooftop::Verdict verify(std::string_view /*algorithm*/) const override {
    const auto pairs = static_cast<std::size_t>(parameters.pairs);
    std::vector<bool> seen(taken.size());
    std::vector<std::uint64_t> least;
    for (std::size_t i = 0; i < taken.size(); ++i) {
      if (i % pairs == 0) least.assign(taken.size() / pairs, 0);
      const std::uint64_t value = taken[i];
      if (value >= seen.size() || seen[value] || value < least[value / pairs]) return rooftop::exact("no FIFO queue");
      seen[value] = true;
      least[value / pairs] = value;
    }
    return rooftop::exact("");
  }

  const Parameters parameters;
  const int threads;
  std::vector<std::uint64_t> taken;  ///< the result: `pairs` values for each thread that took them, in its order
};

using Word = std::atomic<std::uint64_t>;  ///< which node, in the lower half; the upper may count the changes
std::size_t node_of(std::uint64_t word) { return word % (std::uint64_t{1} << 32U); }
constexpr std::size_t none = 0xFFFFFFFF;

struct alignas(64) Node {
  Word next{none}, value{0};
};

/// Lists that begin with a node whose value is gone. A thread puts its one node in, and gets one for it.
template <bool two>
struct Locked {
  void enqueue(std::size_t node, std::uint64_t value) {
    nodes[node].value = value;
    nodes[node].next = none;
    const std::lock_guard guard(two ? tail_lock : head_lock);
    nodes[std::exchange(tail, node)].next = node;
  }
  std::uint64_t dequeue(std::size_t& node) {
    const std::lock_guard guard(head_lock);
    node = std::exchange(head, nodes[head].next);
    return nodes[head].value;
  }
  std::vector<Node> nodes;
  alignas(128) std::mutex head_lock;
  std::size_t head = 0;
  alignas(128) std::mutex tail_lock;
  std::size_t tail = 0;
};

/// Michael and Scott's lock-free queue. A node that left and came back must not look like one that stayed: each change
/// of a pointer counts it up.
struct LockFree {
  static std::uint64_t changed(std::uint64_t word, std::size_t node) { return ((word >> 32U) + 1) << 32U | node; }
  void enqueue(std::size_t node, std::uint64_t value) {
    nodes[node].value = value;
    nodes[node].next = changed(nodes[node].next, none);
    while (true) {
      std::uint64_t last = tail;
      std::uint64_t next = nodes[node_of(last)].next;
      if (last != tail) continue;
      const bool at_end = node_of(next) == none;
      if (at_end && nodes[node_of(last)].next.compare_exchange_strong(next, changed(next, node))) next = node;
      tail.compare_exchange_strong(last, changed(last, node_of(next)));  // also for a thread that is late to do so
      if (node_of(next) == node) return;
    }
  }
  std::uint64_t dequeue(std::size_t& node) {
    while (true) {
      std::uint64_t first = head;
      std::uint64_t last = tail;
      const std::uint64_t next = nodes[node_of(first)].next;
      if (first != head) continue;
      if (node_of(first) == node_of(last)) tail.compare_exchange_strong(last, changed(last, node_of(next)));
      const std::uint64_t value = nodes[node_of(next)].value;  // before others can use the node
      node = node_of(first);
      if (head.compare_exchange_strong(first, changed(first, node_of(next)))) return value;
    }
  }
  std::vector<Node> nodes;
  alignas(128) Word head{0};
  alignas(128) Word tail{0};
};

template <typename Queue>
class Turns final : public rooftop::LabRung {
 public:
  explicit Turns(Queues& lab) : lab_(lab) {
    queue_.nodes = std::vector<Node>(static_cast<std::size_t>(lab.threads + 1));
  }

  void run() override {
    const std::size_t first = node_of(queue_.head);  // all others are the threads'
#pragma omp parallel for num_threads(lab_.threads) schedule(static)
    for (std::size_t thread = 0; thread < queue_.nodes.size() - 1; ++thread) {
      const rooftop::Delay delay;
      std::size_t node = (first + 1 + thread) % queue_.nodes.size();
      const std::size_t pairs = lab_.taken.size() / (queue_.nodes.size() - 1);
      for (std::size_t value = thread * pairs; value < (thread + 1) * pairs; ++value) {
        queue_.enqueue(node, value);
        lab_.taken[value] = queue_.dequeue(node);
        static_cast<void>(delay.after(value, lab_.parameters.cycles));
      }
    }
  }

 private:
  Queues& lab_;
  Queue queue_;
};

}  // namespace

ROOFTOP_LAB(Queues, rooftop::variant<Turns<Locked<false>>, Queues>("10-one-lock", "One lock for both ends."),
            rooftop::variant<Turns<Locked<true>>, Queues>("20-two-locks", "A lock for each end."),
            rooftop::variant<Turns<LockFree>, Queues>("30-lock-free", "Each change of a pointer counts it up."));
