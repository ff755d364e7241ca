/// The solver by ranks instead of threads: ranks of one node write columns straight into each other's planes.
/// Changed from the rungs before: one copy in all, through an MPI-3 shared window, so that ranks move as many bytes as
/// threads do; between nodes, pieces of columns are sent while others are computed, and planes of one iteration are
/// transformed while the next one's messages are under way. Limit attacked: copies into and out of messages. Evidence:
/// two ranks take as long as two threads. Source: docs/decisions/0010.
// needs: rooftop_fft_mpi, MPI
#include <mpi.h>

#include <complex>
#include <rooftop/aligned.hpp>
#include <rooftop/fft_mpi.hpp>
#include <rooftop/rung.hpp>
#include <vector>

#include "ranks.hpp"
#include "steps.hpp"

namespace {

namespace fft = rooftop::fft;
using ft::Complex;
using ft::Index;

const char* name_of(fft::Phase phase) {
  switch (phase) {
    case fft::Phase::columns:
      return "columns";
    case fft::Phase::planes:
      return "planes";
    case fft::Phase::exchange:
      return "exchange";
    default:
      return "waiting";
  }
}

fft::DistributedPlan plan_of(const ft::Problem& p) {
  fft::DistributedOptions options{.threads = p.threads, .pipelined = p.exchange.pipelined};
  if (p.exchange.messages) options.exchange = fft::Exchange::messages;
  if (p.exchange.pieces > 0) options.pieces = p.exchange.pieces;
  // The plan counts on over all runs.
  options.watcher = [&p](fft::Phase phase, int transform, std::int64_t begin_ns, std::int64_t end_ns) {
    p.timeline->add({name_of(phase), (transform - 1) % (p.iterations + 1) + 1, begin_ns, end_ns});
  };
  try {
    return fft::DistributedPlan({p.nx, p.ny, p.nz}, MPI_COMM_WORLD, options);
  } catch (const fft::InvalidArgument& error) {
    throw rooftop::Skip(error.what());
  }
}

class SolverByRanks : public rooftop::Rung {
 public:
  explicit SolverByRanks(const ft::Problem& problem)
      : p_(problem),
        plan_(plan_of(p_)),
        planes_{plan_.planes().first, plan_.planes().count},
        rows_{plan_.rows().first, plan_.rows().count},
        modes_(static_cast<std::size_t>(plan_.mode_values())) {}

  void run() override {
    if (p_.transform_only()) {
      if (drawn_ != p_.draws) ft::draw_planes(p_, planes_, space());
      drawn_ = p_.draws;
      return plan_.forward(modes());
    }
    ft::draw_planes(p_, planes_, space());
    plan_.forward(modes());
    plan_.backward_each(modes(), {.count = p_.iterations,
                                  .factors =
                                      [this](int t) {
                                        x_ = ft::decay_along(p_.nx, t), y_ = ft::decay_along(p_.ny, t);
                                        z_ = ft::decay_along(p_.nz, t);
                                        return fft::Factors{x_.data(), y_.data(), z_.data()};
                                      },
                                  .finished =
                                      [this](int t, const std::complex<double>* planes) {
                                        // Added up at the end: rank 0 would wait for the slowest rank in each
                                        // iteration.
                                        p_.checksums[t - 1] = ft::part_of_checksum(
                                            p_, {{0, p_.ny}, planes_}, reinterpret_cast<const Complex*>(planes));
                                      }});
    ft::add_checksums(p_, p_.checksums, p_.iterations);
  }

  void finish() override {
    if (p_.transform_only()) {
      ft::hand_over(p_, {rows_, {0, p_.nz}}, modes_.data());
    } else {
      ft::hand_over(p_, {{0, p_.ny}, planes_}, space());
    }
  }

  [[nodiscard]] rooftop::Work work() const override {
    const auto n = static_cast<double>(p_.size());
    const double transforms = p_.iterations + 1;
    return {.fma_flops = transforms * plan_.multiply_add_flops(),
            .add_flops = transforms * plan_.lone_flops() + 3 * n * p_.iterations,
            .memory_bytes = (p_.transform_only() ? 0 : 16 * n) + 64 * n + 64 * n * p_.iterations,
            .working_set_bytes = 32 * n,
            .algorithm = "fft"};
  }

 private:
  [[nodiscard]] Complex* space() { return reinterpret_cast<Complex*>(plan_.space()); }
  [[nodiscard]] std::complex<double>* modes() { return reinterpret_cast<std::complex<double>*>(modes_.data()); }

  const ft::Problem& p_;
  fft::DistributedPlan plan_;
  ft::Part planes_, rows_;
  rooftop::AlignedArray<Complex> modes_;
  std::vector<double> x_, y_, z_;  ///< factors of the transform at hand
  std::uint64_t drawn_ = 0;
};

}  // namespace

ROOFTOP_RUNG(ft::Problem, SolverByRanks);
