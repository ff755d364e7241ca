#include "rank.hpp"

#include <algorithm>
#include <rooftop/require.hpp>

namespace rooftop::simulate {

namespace sg = simgrid::s4u;

namespace {

double now() { return sg::Engine::get_clock(); }

std::uint64_t of_messages(int group) { return 2 * static_cast<std::uint64_t>(group); }
std::uint64_t of_collectives(int group) { return of_messages(group) + 1; }

}  // namespace

void Rank::run() {
  const auto program = static_cast<std::size_t>(world_.recording.program_of[static_cast<std::size_t>(state_.rank)]);
  perform(world_.recording.programs[program], true);
  require(requests_.empty(), "rank ", state_.rank, " ends with ", requests_.size(),
          " requests that it never waits for");
  ended_ = now() + skipped_s_;
}

void Rank::perform(const std::vector<Operation>& body, bool outermost) {
  for (const Operation& one : body) {
    if (one.kind == Operation::Kind::loop) {
      repeat(one, outermost);
    } else if (one.kind == Operation::Kind::work) {
      work(one);
    } else {
      const double from = now();
      call(one);
      state_.waiting += now() - from;
      note('c', from);
    }
  }
}

void Rank::repeat(const Operation& loop, bool outermost) {
  if (!outermost) {
    for (std::int64_t i = 0; i < loop.times; ++i) perform(loop.body, false);
    return;
  }
  const std::size_t place = loops_++;
  if (world_.loops.size() == place) {
    world_.loops.emplace_back(static_cast<int>(world_.recording.program_of.size()), loop.times);
  }
  Repeats& all = world_.loops[place];
  if (!all.is_of(loop.times)) {  // not the loop that the others run: it is simulated as it is
    require(loop.times <= Repeats::most_simulated, "rank ", state_.rank, " runs a loop ", loop.times,
            " times, and others ", all.times(), " times: expected equally often, or at most ", Repeats::most_simulated,
            " times");
    for (std::int64_t i = 0; i < loop.times; ++i) perform(loop.body, false);
    return;
  }
  all.enter(now());
  RankState before = state_;
  while (all.begin(state_.rank)) {
    before = state_;
    perform(loop.body, false);
    all.end(state_.rank, now());
  }
  const auto left_out = static_cast<double>(all.left_out());
  skipped_s_ += left_out * all.period_s();
  state_.sent += left_out * (state_.sent - before.sent);
  state_.messages += left_out * (state_.messages - before.messages);
  state_.computing += left_out * (state_.computing - before.computing);
  state_.waiting += left_out * (state_.waiting - before.waiting);
}

void Rank::work(const Operation& work) {
  const double from = now();
  const Description& node = world_.exchange.machine().description();
  const auto of_kind = node.core_flops_by_kind.find(work.of);
  const double core_flops = of_kind == node.core_flops_by_kind.end() ? node.core_flops : of_kind->second;
  Team team{.cores = work.threads, .taken = thread_in_the_way(work.threads) ? node.thread_cores : 0};
  if (work.schedule == Schedule::even) {
    const double cores = team.cores * std::max(0.5, 1 - team.taken / team.cores);
    alone(std::max(work.seconds, work.flops / (cores * core_flops)), work,
          std::min(cores * node.core_bytes_per_s, node.rank_bytes_per_s));
  } else {
    const double thread_rate = std::min(team.cores * node.core_bytes_per_s, node.rank_bytes_per_s) / team.threads();
    const Pieces pieces{.schedule = work.schedule,
                        .number = work.pieces,
                        .computing_s = std::max(work.seconds * team.cores, work.flops / core_flops) / work.pieces,
                        .moving_s = work.bytes / thread_rate / work.pieces,
                        .fetch_s = work.fetch_s};
    if (work.requests.empty() || team.threads() == 1) {
      for (const int number : work.requests) await(number);
      const double seconds = team_seconds(pieces, team);
      alone(seconds, work, work.bytes / seconds);
    } else {
      beside_messages(work, pieces, team);
    }
  }
  state_.computing += now() - from;
  note('w', from);
}

/// Work that takes so long, and so many bytes a second, if nobody else is on the bus.
void Rank::alone(double seconds, const Operation& work, double bytes_per_s) {
  Machine& machine = world_.exchange.machine();
  const Description& node = machine.description();
  const bool gated = !requests_.empty();
  if (gated) machine.gate(state_.rank, progress_in(std::max(seconds, work.bytes / bytes_per_s), work.polls));
  state_.steps = !gated || work.polls > 0 || node.ways[1].progress != Progress::calls || node.ways[1].share > 0;
  sg::CommPtr bytes;
  if (work.bytes >= 1) bytes = machine.over_bus(state_.rank, work.bytes, bytes_per_s);
  if (seconds > 0) sg::this_actor::sleep_for(seconds);
  if (bytes != nullptr) bytes->wait();
  if (gated) machine.gate(state_.rank, {1, 1});
  if (!state_.steps) {
    state_.steps = true;
    behind_.wake->release();
  }
}

/// The team begins, and its first thread joins it when messages have come: it is in MPI calls until then.
void Rank::beside_messages(const Operation& work, const Pieces& pieces, Team team) {
  Machine& machine = world_.exchange.machine();
  const double from = now(), rate = work.bytes / team_seconds(pieces, team), all = team.threads();
  sg::CommPtr bytes;
  if (work.bytes >= 1) {
    bytes = machine.over_bus(state_.rank, work.bytes, rate);
    machine.reach(state_.rank, rate * (all - 1) / all);
  }
  for (const int number : work.requests) await(number);
  team.late_s = now() - from;
  if (bytes != nullptr) machine.reach(state_.rank, rate);
  const double until = from + team_seconds(pieces, team);
  if (until > now()) sg::this_actor::sleep_until(until);
  if (bytes != nullptr) bytes->wait();
}

std::array<double, 2> Rank::progress_in(double seconds, double polls) const {
  std::array<double, 2> found{1, 1};
  const Description& machine = world_.exchange.machine().description();
  for (std::size_t way = 0; way < found.size(); ++way) {
    const WayOfMessages& messages = machine.ways[way];
    found[way] = messages.share;
    if (polls <= 0 || seconds <= 0) continue;
    // A call moves a fragment, or, of a library that sends in one piece, all that the network takes until the next.
    const double moved = polls * messages.fragment_bytes / seconds / messages.bytes_per_s;
    found[way] = messages.fragment_bytes > 0 ? std::min(1.0, messages.share + moved) : 1;
  }
  return found;
}

/// Whether a thread of the library that moves messages takes a core from the team.
bool Rank::thread_in_the_way(double threads) const {
  const Machine& machine = world_.exchange.machine();
  const Description& node = machine.description();
  if (requests_.empty() || node.ways[1].progress != Progress::thread) return false;
  return threads * machine.ranks_beside(state_.rank) >= node.cores;
}

void Rank::call(const Operation& operation) {
  switch (operation.kind) {
    case Operation::Kind::wait:
      for (const int number : operation.requests) await(number);
      return;
    case Operation::Kind::collective:
      return collective(operation);
    default:
      return message(operation);
  }
}

void Rank::message(const Operation& operation) {
  const bool sends = operation.kind == Operation::Kind::send;
  const int partner = operation.partner;
  const auto context = of_messages(operation.group);
  Request request{.message = sends ? world_.exchange.send(own_, partner, operation.bytes, context, operation.tag)
                                   : world_.exchange.receive(own_, partner, context, operation.tag),
                  .sends = sends,
                  .partner = partner,
                  .call = nullptr};
  if (operation.blocking) return await(request);
  const int number = operation.requests.front();
  require(requests_.emplace(number, std::move(request)).second, "rank ", state_.rank, " begins request ", number,
          " while it is under way");
}

void Rank::collective(const Operation& operation) {
  const auto& group = world_.recording.groups[static_cast<std::size_t>(operation.group)];
  const std::uint64_t number = next_call(operation.group);
  if (operation.blocking) {
    Part(world_.exchange, own_, group, of_collectives(operation.group), number, world_.choices).run(operation);
    return;
  }
  auto call = std::make_shared<Call>(Call{.operation = &operation, .number = number});
  const int request = operation.requests.front();
  require(requests_.emplace(request, Request{.message = nullptr, .call = call}).second, "rank ", state_.rank,
          " begins request ", request, " while it is under way");
  calls_behind_.push_back(std::move(call));
  if (has_background_) {
    behind_.wake->release();
  } else {
    has_background_ = true;
    sg::Actor::create("behind" + std::to_string(state_.rank), sg::this_actor::get_host(), [this] {
      background();
    })->daemonize();
  }
}

/// The collective calls that are under way, one after the other.
void Rank::background() {
  while (true) {
    while (calls_behind_.empty()) behind_.wake->acquire();
    const auto call = calls_behind_.front();
    calls_behind_.pop_front();
    const int group = call->operation->group;
    Part(world_.exchange, behind_, world_.recording.groups[static_cast<std::size_t>(group)], of_collectives(group),
         call->number, world_.choices)
        .run(*call->operation);
    call->done = true;
    if (call->awaited) own_.wake->release();
  }
}

void Rank::await(int number) {
  const auto found = requests_.find(number);
  require(found != requests_.end(), "rank ", state_.rank, " waits for request ", number, ", which it has not begun");
  const Request request = std::move(found->second);
  requests_.erase(found);
  await(request);
}

void Rank::await(const Request& request) {
  if (request.call != nullptr) {
    request.call->awaited = true;
    while (!request.call->done) own_.wake->acquire();
  } else if (request.sends) {
    world_.exchange.await_sent(own_, *request.message);
  } else {
    world_.exchange.await_received(own_, *request.message, request.partner);
  }
}

void Rank::note(char what, double from) {
  if (spans_.size() >= world_.spans || now() <= from) return;
  if (!spans_.empty() && spans_.back().what == what && spans_.back().until >= from) {
    spans_.back().until = now();
  } else {
    spans_.push_back({.rank = state_.rank, .what = what, .from = from, .until = now()});
  }
}

}  // namespace rooftop::simulate
