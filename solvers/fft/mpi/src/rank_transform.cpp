#include "rank_transform.hpp"

#include <omp.h>

#include <algorithm>
#include <chrono>
#include <string>

#include "team.hpp"

namespace rooftop::fft::internal {
namespace {

Part part_of(Index n, int rank, int ranks) {
  const Index first = share(n, rank, ranks);
  return {first, share(n, rank + 1, ranks) - first};
}

std::int64_t now_ns() {
  return std::chrono::duration_cast<std::chrono::nanoseconds>(std::chrono::steady_clock::now().time_since_epoch())
      .count();
}

const DistributedOptions& checked(const DistributedOptions& options, const Shape& shape, int ranks) {
  const auto refuse = [](const char* name, int value, const char* expected) {
    throw InvalidArgument(std::string(name) + " is " + std::to_string(value) + ", expected " + expected);
  };
  if (options.threads < 1 || options.threads > 4096) refuse("threads", options.threads, "1 to 4096");
  if (options.pieces < 1 || options.pieces > 4096) refuse("pieces", options.pieces, "1 to 4096");
  if (options.pieces_under_way < 1) refuse("pieces_under_way", options.pieces_under_way, "1 or more");
  const Index least = std::min(shape.ny, shape.nz);
  if (ranks > least) {
    throw InvalidArgument(std::to_string(ranks) + " ranks share " + std::to_string(shape.nz) + " planes of " +
                          std::to_string(shape.ny) + " rows, expected at most " + std::to_string(least) + " ranks");
  }
  return options;
}

/// What one process would do. Throws InvalidArgument for what no plan takes.
Operations operations_of(const Shape& shape, ValueKind kind) {
  if (kind == ValueKind::complex) {
    const Plan plan(shape, {.threads = 1});
    return {plan.lone_flops(), plan.multiply_add_flops()};
  }
  const RealPlan plan(shape, {.threads = 1});
  return {plan.lone_flops(), plan.multiply_add_flops()};
}

Job<double> job_of(const Shape& shape, ValueKind kind) {
  if (kind == ValueKind::complex) return make_job<double>(shape);
  return make_columns_job<double>({shape.nx / 2 + 1, shape.ny, shape.nz});
}

}  // namespace

RankTransform::RankTransform(const Shape& shape, ValueKind kind, MPI_Comm communicator, const DistributedOptions& asked)
    : operations_(operations_of(shape, kind)),
      options_(checked(asked, shape, ranks_of(communicator))),
      all_(copy_of(communicator)),
      node_(node_of(all_, options_.exchange == Exchange::automatic)),
      node_rank_(node_ranks_of(all_, node_)),
      job_(job_of(shape, kind)),
      planes_(part_of(shape.nz, all_.rank, all_.size)),
      rows_(part_of(shape.ny, all_.rank, all_.size)) {
  from_.resize(static_cast<std::size_t>(job_.nz)), to_.resize(static_cast<std::size_t>(job_.nz));
  if (kind == ValueKind::real) {
    real_.emplace(shape.nx, shape.ny, shape.ny * planes_.count, Options{.threads = 1});
    options_.pipelined = false;
  }
  if (node_.size == all_.size) options_.pieces = 1, options_.pipelined = false;
  Index off_node_planes = 0;
  for (int rank = 0; rank < all_.size; ++rank) {
    if (!on_node(rank)) off_node_planes += planes_of(rank).count;
  }
  const Index piece_rows = (rows_.count + options_.pieces - 1) / options_.pieces;
  slots_ = std::min(options_.pieces, options_.pieces_under_way);
  slot_doubles_ = 2 * job_.nx * piece_rows * off_node_planes;
  // Where one rank has no memory, none goes on.
  int have = 1;
  try {
    for (int i = 0; i < (options_.pipelined ? 2 : 1); ++i) {
      spaces_.emplace_back(node_.get(), 2 * job_.plane() * planes_.count);
    }
    if (real_) values_ = make_doubles(real_->value_reals() * planes_.count);
    ring_ = make_doubles(slots_ * slot_doubles_);
    scratch_ = make_doubles(scratch_doubles());
  } catch (const std::bad_alloc&) {
    have = 0;
  }
  MPI_Allreduce(MPI_IN_PLACE, &have, 1, MPI_INT, MPI_MIN, all_.get());
  if (have == 0) throw std::bad_alloc();
  messages_.emplace(all_.get(), 2 * job_.nx, slots_);
}

Part RankTransform::planes_of(int rank) const { return part_of(job_.nz, rank, all_.size); }
Part RankTransform::rows_of(int rank) const { return part_of(job_.ny, rank, all_.size); }

Part RankTransform::piece_of(const Part& part, int piece) const {
  const Index first = share(part.count, piece, options_.pieces);
  return {first, share(part.count, piece + 1, options_.pieces) - first};
}

Index RankTransform::scratch_doubles() const {
  const Index columns = job_.team_reals(options_.threads);
  return real_ ? std::max(columns, options_.threads * real_->scratch_reals()) : columns;
}

std::size_t RankTransform::memory_bytes() const {
  const Index spaces = static_cast<Index>(spaces_.size()) * 2 * job_.plane() * planes_.count;
  const Index values = real_ ? real_->value_reals() * planes_.count : 0;
  return sizeof(double) * static_cast<std::size_t>(spaces + values + slots_ * slot_doubles_ + scratch_doubles());
}

template <typename Call>
void RankTransform::timed(Phase phase, int of, const Call& call) {
  if (!options_.watcher) return call();
  const std::int64_t begin = now_ns();
  call();
  options_.watcher(phase, of, begin, now_ns());
}

Pause RankTransform::pause() {
  if (node_.size == all_.size) return {};
  return {[](void* messages) { static_cast<Messages*>(messages)->go_on(); }, &*messages_};
}

void RankTransform::do_planes(bool back, double* space, const Part& part, int of) {
  if (part.count == 0) return;
  timed(Phase::planes, of, [&] {
    if (real_) return do_real_planes(back, space, part);
    const PlaneRange<double> range{part.first, part.first + part.count, space, space, pause()};
#pragma omp parallel num_threads(options_.threads)
    kernels_.planes(job_, back, range, scratch_.get(), omp_get_thread_num(), omp_get_num_threads());
  });
}

void RankTransform::do_real_planes(bool back, double* space, const Part& part) {
  const Pause pause = this->pause();
  const bool are_long = RealPlanes<double>::are_long(real_->nx(), job_.ny, job_.ny * planes_.count);
  in_team(are_long ? 1 : options_.threads, [&](int thread, int team) {
    TeamStop never(nullptr);
    double* const own = scratch_.get() + thread * real_->scratch_reals();
    for (Index i = share(part.count, thread, team); i < share(part.count, thread + 1, team); ++i) {
      double *const modes = space + 2 * job_.plane() * (part.first + i), *const values =
                                                                             values_.get() +
                                                                             real_->value_reals() * (part.first + i);
      if (back) {
        real_->backward(modes, modes, values, own, never);
      } else {
        real_->forward(values, modes, own, never);
      }
      if (pause.call != nullptr && thread == 0) pause.call(pause.with);
    }
  });
}

void RankTransform::do_columns(bool back, const Part& part, const Factors* factors, int of) {
  if (part.count == 0) return;
  Factors own{};
  if (factors != nullptr) own = {factors->x, factors->y + rows_.first, factors->z};
  const ColumnRange<double> range{part.first * job_.nx,
                                  (part.first + part.count) * job_.nx,
                                  from_.data(),
                                  {to_.data(), factors != nullptr ? &own : nullptr},
                                  pause()};
  timed(Phase::columns, of, [&] {
#pragma omp parallel num_threads(options_.threads)
    kernels_.columns(job_, back, range, scratch_.get(), omp_get_thread_num(), omp_get_num_threads());
  });
}

double* RankTransform::in_modes(double* modes, Index z, Index row) const {
  return modes + 2 * job_.nx * (z * rows_.count + row);
}

double* RankTransform::in_space(int which, int rank, Index z, Index row) const {
  double* const space = spaces_[static_cast<std::size_t>(which)].of(node_rank_[static_cast<std::size_t>(rank)]);
  return space + 2 * job_.nx * ((z - planes_of(rank).first) * job_.ny + rows_.first + row);
}

void RankTransform::await_planes(int which, int of) {
  timed(Phase::waiting, of, [&] { messages_->arrived(which); });
  if (options_.watcher && node_.size < all_.size) {
    options_.watcher(Phase::exchange, of, exchange_begin_ns_[which], now_ns());
  }
}

void RankTransform::meet(int of) {
  if (node_.size > 1) timed(Phase::waiting, of, [&] { spaces_[0].meet(); });
}

void RankTransform::await_sent(int of) {
  timed(Phase::waiting, of, [&] {
    for (int slot = 0; slot < slots_; ++slot) messages_->sent(slot);
  });
}

// --- backward: columns, exchange, planes -----------------------------------------------------------------------------

void RankTransform::expect_planes(int which) {
  exchange_begin_ns_[which] = 0;
  double* const space = space_of(which);
  for (int piece = 0; piece < options_.pieces; ++piece) {
    for (int turn = 1; turn < all_.size; ++turn) {
      const int rank = (all_.rank + all_.size - turn) % all_.size;
      if (on_node(rank)) continue;
      const Part theirs = rows_of(rank), part = piece_of(theirs, piece);
      messages_->receive(space + 2 * job_.nx * (theirs.first + part.first), {planes_.count, part.count, job_.ny}, rank,
                         piece, which);
    }
  }
}

void RankTransform::columns_and_send(double* modes, const Factors* factors, int which, int piece, int of) {
  const Part part = piece_of(rows_, piece);
  const int slot = piece % slots_;
  timed(Phase::waiting, of, [&] { messages_->sent(slot); });
  double* place = ring_.get() + slot * slot_doubles_;
  std::vector<double*> first(static_cast<std::size_t>(all_.size), nullptr);
  for (int rank = 0; rank < all_.size; ++rank) {
    const Part theirs = planes_of(rank);
    if (!on_node(rank)) first[static_cast<std::size_t>(rank)] = place;
    for (Index z = theirs.first; z < theirs.first + theirs.count; ++z) {
      const auto at = static_cast<std::size_t>(z);
      from_[at] = in_modes(modes, z, part.first);
      to_[at] = on_node(rank) ? in_space(which, rank, z, part.first) : place;
      if (!on_node(rank)) place += 2 * job_.nx * part.count;
    }
  }
  do_columns(true, part, factors, of);
  if (exchange_begin_ns_[which] == 0) exchange_begin_ns_[which] = now_ns();
  for (int turn = 1; turn < all_.size; ++turn) {
    const int rank = (all_.rank + turn) % all_.size;
    if (on_node(rank)) continue;
    const Index count = planes_of(rank).count * part.count;
    messages_->send(first[static_cast<std::size_t>(rank)], {1, count, count}, rank, piece, slot);
  }
}

void RankTransform::backward(double* modes, const Factors* factors) {
  const int of = ++transform_;
  expect_planes(current_);
  meet(of);  // until none of the node looks at its planes any more
  for (int piece = 0; piece < options_.pieces; ++piece) columns_and_send(modes, factors, current_, piece, of);
  await_planes(current_, of);
  meet(of);
  do_planes(true, space(), {0, planes_.count}, of);
  await_sent(of);
}

void RankTransform::backward_pipelined(double* modes, const DistributedPlan::Series& series) {
  const int base = transform_;
  for (int t = 1; t <= series.count + 1; ++t) {
    const bool begins = t <= series.count, ends = t > 1;
    const int here = (current_ + 1) % 2, before = current_;
    Factors factors{};
    if (begins) {
      if (series.factors) factors = series.factors(t);
      expect_planes(here);
      meet(base + t);
    }
    for (int piece = 0; piece < options_.pieces; ++piece) {
      if (begins) columns_and_send(modes, series.factors ? &factors : nullptr, here, piece, base + t);
      if (!ends) continue;
      if (piece == 0) await_planes(before, base + t - 1);
      if (piece == 0 && !begins) meet(base + t - 1);
      do_planes(true, space_of(before), piece_of(planes_, piece), base + t - 1);
    }
    if (ends && series.finished) {
      series.finished(t - 1, reinterpret_cast<const std::complex<double>*>(space_of(before)));
    }
    if (begins) current_ = here;
  }
  transform_ = base + series.count;
  await_sent(transform_);
}

void RankTransform::backward_each(double* modes, const DistributedPlan::Series& series) {
  if (options_.pipelined) return backward_pipelined(modes, series);
  for (int t = 1; t <= series.count; ++t) {
    const Factors factors = series.factors ? series.factors(t) : Factors{};
    backward(modes, series.factors ? &factors : nullptr);
    if (series.finished) series.finished(t, reinterpret_cast<const std::complex<double>*>(space()));
  }
}

// --- forward: planes, exchange, columns ------------------------------------------------------------------------------

void RankTransform::expect_rows(double* modes) {
  for (int piece = 0; piece < options_.pieces; ++piece) {
    for (int turn = 1; turn < all_.size; ++turn) {
      const int rank = (all_.rank + all_.size - turn) % all_.size;
      if (on_node(rank)) continue;
      const Part theirs = planes_of(rank), part = piece_of(theirs, piece);
      const Index count = part.count * rows_.count;
      messages_->receive(in_modes(modes, theirs.first + part.first, 0), {1, count, count}, rank, piece, 0);
    }
  }
}

void RankTransform::planes_and_send(double* space, int piece, int of) {
  const Part part = piece_of(planes_, piece);
  do_planes(false, space, part, of);
  if (exchange_begin_ns_[0] == 0) exchange_begin_ns_[0] = now_ns();
  for (int turn = 1; turn < all_.size; ++turn) {
    const int rank = (all_.rank + turn) % all_.size;
    if (on_node(rank)) continue;
    const Part theirs = rows_of(rank);
    messages_->send(space + 2 * job_.nx * (part.first * job_.ny + theirs.first), {part.count, theirs.count, job_.ny},
                    rank, piece, 0);
  }
}

void RankTransform::columns_of_all(double* modes, int of) {
  for (int rank = 0; rank < all_.size; ++rank) {
    const Part theirs = planes_of(rank);
    for (Index z = theirs.first; z < theirs.first + theirs.count; ++z) {
      const auto at = static_cast<std::size_t>(z);
      to_[at] = in_modes(modes, z, 0);
      from_[at] = on_node(rank) ? in_space(current_, rank, z, 0) : to_[at];
    }
  }
  do_columns(false, {0, rows_.count}, nullptr, of);
}

void RankTransform::forward(double* modes) {
  const int of = ++transform_;
  expect_rows(modes);
  exchange_begin_ns_[0] = 0;
  for (int piece = 0; piece < options_.pieces; ++piece) planes_and_send(space(), piece, of);
  meet(of);
  await_planes(0, of);
  columns_of_all(modes, of);
  await_sent(of);
  meet(of);  // until none of the node reads this rank's planes any more
}

}  // namespace rooftop::fft::internal
