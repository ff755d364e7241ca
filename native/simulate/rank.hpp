/// One rank of a replay: its program, its progress and what it does in the background.
#pragma once

#include <deque>
#include <functional>
#include <map>

#include "replay.hpp"

namespace rooftop::simulate {

/// What all ranks share.
struct World {
  const Recording& recording;
  const Choices& choices;
  Exchange exchange;
  std::deque<Repeats> loops;  ///< those of the programs' first level, in their order
  std::size_t spans;
};

class Rank {
 public:
  Rank(World& world, int rank) : world_(world) { state_.rank = rank; }

  /// The program, from beginning to end; the body of the rank's actor.
  void run();

  [[nodiscard]] const RankState& state() const { return state_; }
  [[nodiscard]] double ended() const { return ended_; }
  [[nodiscard]] const std::vector<Span>& spans() const { return spans_; }

 private:
  /// A collective call that is not waited for at once.
  struct Call {
    const Operation* operation = nullptr;
    std::uint64_t number = 0;
    bool done = false, awaited = false;
  };
  struct Request {
    MessagePtr message;
    bool sends = false;
    int partner = -1;
    std::shared_ptr<Call> call;
  };

  void perform(const std::vector<Operation>& body, bool outermost);
  void repeat(const Operation& loop, bool outermost);
  void work(const Operation& work);
  void alone(double seconds, const Operation& work, double bytes_per_s);
  void beside_messages(const Operation& work, const Pieces& pieces, Team team);
  void call(const Operation& operation);
  void message(const Operation& operation);
  void collective(const Operation& operation);
  void await(int number);
  void await(const Request& request);
  void background();
  void note(char what, double from);
  [[nodiscard]] std::array<double, 2> progress_in(double seconds, double polls) const;
  [[nodiscard]] bool thread_in_the_way(double threads) const;
  [[nodiscard]] std::uint64_t next_call(int group) { return ++calls_[group]; }

  World& world_;
  RankState state_;
  Endpoint own_{.state = &state_}, behind_{.state = &state_, .background = true};
  std::map<int, Request> requests_;
  std::map<int, std::uint64_t> calls_;  ///< collective ones, by group
  std::deque<std::shared_ptr<Call>> calls_behind_;
  bool has_background_ = false;
  std::size_t loops_ = 0;
  double skipped_s_ = 0, ended_ = 0;
  std::vector<Span> spans_;
};

}  // namespace rooftop::simulate
