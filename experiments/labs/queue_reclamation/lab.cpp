/// Safe reclamation in a lock-free queue: a node that has left comes back only when it cannot be mistaken.
#include <algorithm>
#include <array>
#include <atomic>
#include <rooftop/lab.hpp>

namespace {

class Queues final : public rooftop::Lab {
 public:
  struct Parameters {
    std::int64_t pairs;
  };
  static constexpr std::array fields{rooftop::field<&Parameters::pairs>("pairs", 1, 1 << 24)};
  static std::vector<Parameters> checks() { return {{.pairs = 1}, {.pairs = 401}}; }

  Queues(const Parameters& given, const rooftop::Setting& setting)
      : parameters(given), threads(setting.threads), taken(static_cast<std::size_t>(given.pairs * setting.threads)) {}

  void poison() override { taken.assign(taken.size(), ~std::uint64_t{0}); }
  void spoil() override { taken.back() ^= 1U; }

  /// What a linearizable queue does: each value comes out once, and those of one thread come to each taker in order.
  [[nodiscard]] rooftop::Verdict verify(std::string_view /*algorithm*/) const override {
    const auto pairs = static_cast<std::size_t>(parameters.pairs);
    std::vector<bool> seen(taken.size());
    std::vector<std::uint64_t> least;
    for (std::size_t i = 0; i < taken.size(); ++i) {
      if (i % pairs == 0) least.assign(taken.size() / pairs, 0);
      const std::uint64_t value = taken[i];
      if (value >= seen.size() || seen[value] || value < least[value / pairs]) return rooftop::exact("no FIFO queue");
      seen[least[value / pairs] = value] = true;
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

/// Michael and Scott's queue without locks. A node that left and came back must not look like one that stayed (ABA).
/// With `hazards` no node comes back at which a thread says that it looks; otherwise each change counts a pointer up.
template <bool hazards>
class Queue {
  struct alignas(128) Own {
    std::vector<std::size_t> unused, retired;
    std::array<Word, 2> looks{none, none};
  };
  struct alignas(64) Node {
    Word next{none}, value{0};
  };
  std::vector<Own> own_;
  std::vector<Node> nodes_;
  alignas(128) Word head_{0};
  alignas(128) Word tail_{0};

 public:
  explicit Queue(std::size_t threads) : own_(threads), nodes_(1 + threads * (2 * threads + 2)) {
    for (std::size_t node = 1; node < nodes_.size(); ++node) own_[node % threads].unused.push_back(node);
  }
  void enqueue(std::size_t thread, std::uint64_t value) {
    const std::size_t node = take(own_[thread]);
    nodes_[node].value = value;
    nodes_[node].next = changed(nodes_[node].next, none);
    while (true) {
      std::uint64_t last = look(own_[thread].looks[0], tail_);
      std::uint64_t next = nodes_[node_of(last)].next;
      if (last != tail_) continue;
      const bool at_end = node_of(next) == none;
      if (at_end && nodes_[node_of(last)].next.compare_exchange_strong(next, changed(next, node))) next = node;
      tail_.compare_exchange_strong(last, changed(last, node_of(next)));  // also for a thread that is late to do so
      if (node_of(next) == node) return;
    }
  }
  std::uint64_t dequeue(std::size_t thread) {
    while (true) {
      std::uint64_t first = look(own_[thread].looks[0], head_);
      std::uint64_t last = tail_;
      const std::uint64_t next = look(own_[thread].looks[1], nodes_[node_of(first)].next);
      if (first != head_) continue;
      if (node_of(first) == node_of(last)) tail_.compare_exchange_strong(last, changed(last, node_of(next)));
      const std::uint64_t value = nodes_[node_of(next)].value;
      if (!head_.compare_exchange_strong(first, changed(first, node_of(next)))) continue;
      (hazards ? own_[thread].retired : own_[thread].unused).push_back(node_of(first));
      return value;
    }
  }

 private:
  static std::uint64_t changed(std::uint64_t word, std::size_t node) {
    return hazards ? node : ((word >> 32U) + 1) << 32U | node;
  }
  /// Reads a word, and announces its node until it is certain that the word was the same afterwards.
  static std::uint64_t look(Word& announced, const Word& word) {
    std::uint64_t seen = word;
    for (std::uint64_t before = ~seen; hazards && seen != before; seen = word) announced = before = seen;
    return seen;
  }
  /// Without a node in stock, those retired come back at which nobody looks: each thread looks at two, and has more.
  std::size_t take(Own& mine) {
    const auto comes_back = [&](std::size_t node) {
      const auto looks = [node](const Own& one) { return one.looks[0] == node || one.looks[1] == node; };
      if (std::ranges::any_of(own_, looks)) return false;
      mine.unused.push_back(node);
      return true;
    };
    if (mine.unused.empty()) std::erase_if(mine.retired, comes_back);
    const std::size_t node = mine.unused.back();
    mine.unused.pop_back();
    return node;
  }
};

template <bool hazards>
class Turns final : public rooftop::LabRung {
 public:
  explicit Turns(Queues& lab) : lab_(lab), queue_(static_cast<std::size_t>(lab.threads)) {}

  void run() override {
    const std::size_t pairs = lab_.taken.size() / static_cast<std::size_t>(lab_.threads);
#pragma omp parallel for num_threads(lab_.threads) schedule(static)
    for (std::size_t thread = 0; thread < lab_.taken.size() / pairs; ++thread) {
      for (std::size_t value = thread * pairs; value < (thread + 1) * pairs; ++value) {
        queue_.enqueue(thread, value);
        lab_.taken[value] = queue_.dequeue(thread);
      }
    }
  }

 private:
  Queues& lab_;
  Queue<hazards> queue_;
};

}  // namespace

ROOFTOP_LAB(Queues,
            rooftop::variant<Turns<true>, Queues>("10-hazard-pointers", "Nodes that nobody looks at come back."),
            rooftop::variant<Turns<false>, Queues>("20-counted-pointers", "Each change of a pointer counts it up."));
