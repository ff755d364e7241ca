#include <omp.h>

#include <algorithm>
#include <chrono>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "communicator.hpp"
#include "kernels.hpp"
#include "memory.hpp"
#include "messages.hpp"
#include "rooftop/fft_mpi.hpp"

namespace rooftop::fft {

using internal::Communicator;
using internal::Index;
using internal::share;

namespace {

Part part_of(Index n, int rank, int ranks) {
  const Index first = share(n, rank, ranks);
  return {first, share(n, rank + 1, ranks) - first};
}

std::int64_t now_ns() {
  return std::chrono::duration_cast<std::chrono::nanoseconds>(std::chrono::steady_clock::now().time_since_epoch())
      .count();
}

void check(const DistributedOptions& options) {
  const auto refuse = [](const char* name, int value, const char* expected) {
    throw InvalidArgument(std::string(name) + " is " + std::to_string(value) + ", expected " + expected);
  };
  if (options.threads < 1 || options.threads > 4096) refuse("threads", options.threads, "1 to 4096");
  if (options.pieces < 1 || options.pieces > 4096) refuse("pieces", options.pieces, "1 to 4096");
  if (options.pieces_under_way < 1) refuse("pieces_under_way", options.pieces_under_way, "1 or more");
}

}  // namespace

struct DistributedPlan::Impl {
  Plan local;  ///< refuses what no plan takes, and counts
  DistributedOptions options;
  Communicator all, node;
  std::vector<int> node_rank;  ///< of each rank of all
  internal::Job<double> job;
  const internal::Kernels<double>& kernels = internal::kernels<double>();
  Part planes, rows;  ///< this rank's
  std::vector<internal::NodeArrays> spaces;
  int current = 0;     ///< the space that holds the newest result
  Index slot_doubles;  ///< of a piece of a backward transform on its way to other nodes
  int slots;
  internal::Doubles ring, scratch;
  std::optional<internal::Messages> messages;
  std::vector<double*> from, to;  ///< each plane's first column of the range at hand
  int transform = 0;              ///< as the watcher counts them
  std::int64_t exchange_begin_ns[2] = {0, 0};

  Impl(const Shape& shape, MPI_Comm communicator, const DistributedOptions& asked)
      : local(shape, {.threads = 1}),
        options(checked(asked, shape, internal::ranks_of(communicator))),
        all(internal::copy_of(communicator)),
        node(internal::node_of(all, options.exchange == Exchange::automatic)),
        node_rank(internal::node_ranks_of(all, node)),
        job(internal::make_job<double>(shape)),
        planes(part_of(shape.nz, all.rank, all.size)),
        rows(part_of(shape.ny, all.rank, all.size)) {
    const auto nz = static_cast<std::size_t>(job.nz);
    from.resize(nz), to.resize(nz);
    if (node.size == all.size) options.pieces = 1, options.pipelined = false;
    Index off_node_planes = 0;
    for (int rank = 0; rank < all.size; ++rank) {
      if (!on_node(rank)) off_node_planes += part_of(job.nz, rank, all.size).count;
    }
    const Index piece_rows = (rows.count + options.pieces - 1) / options.pieces;
    slots = std::min(options.pieces, options.pieces_under_way);
    slot_doubles = 2 * job.nx * piece_rows * off_node_planes;
    // Where one rank has no memory, none goes on.
    int have = 1;
    try {
      for (int i = 0; i < (options.pipelined ? 2 : 1); ++i)
        spaces.emplace_back(node.get(), 2 * job.plane() * planes.count);
      ring = internal::make_doubles(slots * slot_doubles);
      scratch = internal::make_doubles(job.team_reals(options.threads));
    } catch (const std::bad_alloc&) {
      have = 0;
    }
    MPI_Allreduce(MPI_IN_PLACE, &have, 1, MPI_INT, MPI_MIN, all.get());
    if (have == 0) throw std::bad_alloc();
    messages.emplace(all.get(), 2 * job.nx, slots);
  }

  static const DistributedOptions& checked(const DistributedOptions& options, const Shape& shape, int ranks) {
    check(options);
    const Index least = std::min(shape.ny, shape.nz);
    if (ranks > least) {
      throw InvalidArgument(std::to_string(ranks) + " ranks share " + std::to_string(shape.nz) + " planes of " +
                            std::to_string(shape.ny) + " rows, expected at most " + std::to_string(least) + " ranks");
    }
    return options;
  }

  [[nodiscard]] bool on_node(int rank) const { return node_rank[static_cast<std::size_t>(rank)] >= 0; }
  [[nodiscard]] Part planes_of(int rank) const { return part_of(job.nz, rank, all.size); }
  [[nodiscard]] Part rows_of(int rank) const { return part_of(job.ny, rank, all.size); }
  /// Piece `piece` of a part, counted from the part's beginning.
  [[nodiscard]] Part piece_of(const Part& part, int piece) const {
    const Index first = share(part.count, piece, options.pieces);
    return {first, share(part.count, piece + 1, options.pieces) - first};
  }

  template <typename Call>
  void timed(Phase phase, int of, const Call& call) {
    if (!options.watcher) return call();
    const std::int64_t begin = now_ns();
    call();
    options.watcher(phase, of, begin, now_ns());
  }

  internal::Pause pause() {
    if (node.size == all.size) return {};
    return {[](void* messages) { static_cast<internal::Messages*>(messages)->go_on(); }, &*messages};
  }

  /// Planes [first, first + count) of this rank's.
  void do_planes(bool back, double* space, const Part& part, int of) {
    if (part.count == 0) return;
    const internal::PlaneRange<double> range{part.first, part.first + part.count, space, space, pause()};
    timed(Phase::planes, of, [&] {
#pragma omp parallel num_threads(options.threads)
      kernels.planes(job, back, range, scratch.get(), omp_get_thread_num(), omp_get_num_threads());
    });
  }

  /// Columns of rows [first, first + count) of this rank's, from where `from` says to where `to` says.
  void do_columns(bool back, const Part& part, const Factors* factors, int of) {
    if (part.count == 0) return;
    Factors own{};
    if (factors != nullptr) own = {factors->x, factors->y + rows.first, factors->z};
    const internal::ColumnRange<double> range{part.first * job.nx,
                                              (part.first + part.count) * job.nx,
                                              from.data(),
                                              {to.data(), factors != nullptr ? &own : nullptr},
                                              pause()};
    timed(Phase::columns, of, [&] {
#pragma omp parallel num_threads(options.threads)
      kernels.columns(job, back, range, scratch.get(), omp_get_thread_num(), omp_get_num_threads());
    });
  }

  /// Where row `row` of this rank's begins in plane z of its modes.
  [[nodiscard]] double* in_modes(double* modes, Index z, Index row) const {
    return modes + 2 * job.nx * (z * rows.count + row);
  }
  /// And in the planes of a rank of this node.
  [[nodiscard]] double* in_space(int which, int rank, Index z, Index row) const {
    double* const space = spaces[static_cast<std::size_t>(which)].of(node_rank[static_cast<std::size_t>(rank)]);
    return space + 2 * job.nx * ((z - planes_of(rank).first) * job.ny + rows.first + row);
  }

  // --- backward: columns, exchange, planes ---------------------------------------------------------------------------

  void expect_planes(int which) {
    exchange_begin_ns[which] = 0;
    double* const space = spaces[static_cast<std::size_t>(which)].of(node.rank);
    for (int piece = 0; piece < options.pieces; ++piece) {
      for (int turn = 1; turn < all.size; ++turn) {
        const int rank = (all.rank + all.size - turn) % all.size;
        if (on_node(rank)) continue;
        const Part theirs = rows_of(rank), part = piece_of(theirs, piece);
        messages->receive(space + 2 * job.nx * (theirs.first + part.first), {planes.count, part.count, job.ny}, rank,
                          piece, which);
      }
    }
  }

  /// Transforms a piece's columns into the planes of this node's ranks, and sends those of others on their way.
  void columns_and_send(double* modes, const Factors* factors, int which, int piece, int of) {
    const Part part = piece_of(rows, piece);
    const int slot = piece % slots;
    timed(Phase::waiting, of, [&] { messages->sent(slot); });
    double* place = ring.get() + slot * slot_doubles;
    std::vector<double*> first(static_cast<std::size_t>(all.size), nullptr);
    for (int rank = 0; rank < all.size; ++rank) {
      const Part theirs = planes_of(rank);
      if (!on_node(rank)) first[static_cast<std::size_t>(rank)] = place;
      for (Index z = theirs.first; z < theirs.first + theirs.count; ++z) {
        const auto at = static_cast<std::size_t>(z);
        from[at] = in_modes(modes, z, part.first);
        to[at] = on_node(rank) ? in_space(which, rank, z, part.first) : place;
        if (!on_node(rank)) place += 2 * job.nx * part.count;
      }
    }
    do_columns(true, part, factors, of);
    if (exchange_begin_ns[which] == 0) exchange_begin_ns[which] = now_ns();
    for (int turn = 1; turn < all.size; ++turn) {
      const int rank = (all.rank + turn) % all.size;
      if (on_node(rank)) continue;
      const Index count = planes_of(rank).count * part.count;
      messages->send(first[static_cast<std::size_t>(rank)], {1, count, count}, rank, piece, slot);
    }
  }

  void await_planes(int which, int of) {
    timed(Phase::waiting, of, [&] { messages->arrived(which); });
    if (options.watcher && node.size < all.size) {
      options.watcher(Phase::exchange, of, exchange_begin_ns[which], now_ns());
    }
  }
  void meet(int of) {
    if (node.size > 1) timed(Phase::waiting, of, [&] { spaces[0].meet(); });
  }
  void await_sent(int of) {
    timed(Phase::waiting, of, [&] {
      for (int slot = 0; slot < slots; ++slot) messages->sent(slot);
    });
  }

  void backward(double* modes, const Factors* factors) {
    const int of = ++transform;
    expect_planes(current);
    meet(of);  // until none of the node looks at its planes any more
    for (int piece = 0; piece < options.pieces; ++piece) columns_and_send(modes, factors, current, piece, of);
    await_planes(current, of);
    meet(of);
    do_planes(true, spaces[static_cast<std::size_t>(current)].of(node.rank), {0, planes.count}, of);
    await_sent(of);
  }

  /// Columns of transform t and planes of t - 1 in turn, a piece of each.
  void backward_pipelined(double* modes, const Series& series) {
    const auto space = [this](int which) { return spaces[static_cast<std::size_t>(which)].of(node.rank); };
    const int base = transform;
    for (int t = 1; t <= series.count + 1; ++t) {
      const bool begins = t <= series.count, ends = t > 1;
      const int here = (current + 1) % 2, before = current;
      Factors factors{};
      if (begins) {
        if (series.factors) factors = series.factors(t);
        expect_planes(here);
        meet(base + t);
      }
      for (int piece = 0; piece < options.pieces; ++piece) {
        if (begins) columns_and_send(modes, series.factors ? &factors : nullptr, here, piece, base + t);
        if (!ends) continue;
        if (piece == 0) await_planes(before, base + t - 1);
        if (piece == 0 && !begins) meet(base + t - 1);
        do_planes(true, space(before), piece_of(planes, piece), base + t - 1);
      }
      if (ends && series.finished) {
        series.finished(t - 1, reinterpret_cast<const std::complex<double>*>(space(before)));
      }
      if (begins) current = here;
    }
    transform = base + series.count;
    await_sent(transform);
  }

  // --- forward: planes, exchange, columns ----------------------------------------------------------------------------

  void forward(double* modes) {
    const int of = ++transform;
    double* const space = spaces[static_cast<std::size_t>(current)].of(node.rank);
    for (int piece = 0; piece < options.pieces; ++piece) {
      for (int turn = 1; turn < all.size; ++turn) {
        const int rank = (all.rank + all.size - turn) % all.size;
        if (on_node(rank)) continue;
        const Part theirs = planes_of(rank), part = piece_of(theirs, piece);
        const Index count = part.count * rows.count;
        messages->receive(in_modes(modes, theirs.first + part.first, 0), {1, count, count}, rank, piece, 0);
      }
    }
    exchange_begin_ns[0] = 0;
    for (int piece = 0; piece < options.pieces; ++piece) {
      const Part part = piece_of(planes, piece);
      do_planes(false, space, part, of);
      if (exchange_begin_ns[0] == 0) exchange_begin_ns[0] = now_ns();
      for (int turn = 1; turn < all.size; ++turn) {
        const int rank = (all.rank + turn) % all.size;
        if (on_node(rank)) continue;
        const Part theirs = rows_of(rank);
        messages->send(space + 2 * job.nx * (part.first * job.ny + theirs.first), {part.count, theirs.count, job.ny},
                       rank, piece, 0);
      }
    }
    meet(of);
    await_planes(0, of);
    for (int rank = 0; rank < all.size; ++rank) {
      const Part theirs = planes_of(rank);
      for (Index z = theirs.first; z < theirs.first + theirs.count; ++z) {
        const auto at = static_cast<std::size_t>(z);
        to[at] = in_modes(modes, z, 0);
        from[at] = on_node(rank) ? in_space(current, rank, z, 0) : to[at];
      }
    }
    do_columns(false, {0, rows.count}, nullptr, of);
    await_sent(of);
    meet(of);  // until none of the node reads this rank's planes any more
  }
};

DistributedPlan::DistributedPlan(const Shape& shape, MPI_Comm communicator, const DistributedOptions& options)
    : impl_(std::make_unique<Impl>(shape, communicator, options)) {}
DistributedPlan::DistributedPlan(DistributedPlan&&) noexcept = default;
DistributedPlan& DistributedPlan::operator=(DistributedPlan&&) noexcept = default;
DistributedPlan::~DistributedPlan() = default;

Part DistributedPlan::planes() const { return impl_->planes; }
Part DistributedPlan::rows() const { return impl_->rows; }
std::complex<double>* DistributedPlan::space() {
  double* const space = impl_->spaces[static_cast<std::size_t>(impl_->current)].of(impl_->node.rank);
  return reinterpret_cast<std::complex<double>*>(space);
}
std::int64_t DistributedPlan::mode_values() const { return impl_->job.nx * impl_->rows.count * impl_->job.nz; }
std::size_t DistributedPlan::memory_bytes() const {
  const Impl& own = *impl_;
  const auto spaces = static_cast<Index>(own.spaces.size());
  return sizeof(double) *
         static_cast<std::size_t>(spaces * 2 * own.job.plane() * own.planes.count + own.slots * own.slot_doubles +
                                  own.job.team_reals(own.options.threads));
}
int DistributedPlan::node_ranks() const { return impl_->node.size; }
double DistributedPlan::multiply_add_flops() const { return impl_->local.multiply_add_flops(); }
double DistributedPlan::lone_flops() const { return impl_->local.lone_flops(); }

namespace {

double* checked_modes(const std::complex<double>* modes) {
  if (modes == nullptr) throw InvalidArgument("modes is a null pointer");
  if (reinterpret_cast<std::uintptr_t>(modes) % 64 != 0) throw InvalidArgument("modes is not aligned to 64 bytes");
  return const_cast<double*>(reinterpret_cast<const double*>(modes));
}

}  // namespace

void DistributedPlan::forward(std::complex<double>* modes) { impl_->forward(checked_modes(modes)); }

void DistributedPlan::backward(const std::complex<double>* modes, const Factors* factors) {
  impl_->backward(checked_modes(modes), factors);
}

void DistributedPlan::backward_each(const std::complex<double>* modes, const Series& series) {
  double* const from = checked_modes(modes);
  if (impl_->options.pipelined) return impl_->backward_pipelined(from, series);
  for (int t = 1; t <= series.count; ++t) {
    if (series.factors) {
      const Factors factors = series.factors(t);
      impl_->backward(from, &factors);
    } else {
      impl_->backward(from, nullptr);
    }
    if (series.finished) series.finished(t, space());
  }
}

}  // namespace rooftop::fft
