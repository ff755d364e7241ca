// Conjugate gradients in double precision, with a preconditioner in single.
#include <omp.h>

#include <cmath>
#include <cstddef>
#include <optional>
#include <utility>

#include "approximate_inverse.hpp"
#include "check.hpp"
#include "limit.hpp"
#include "operators.hpp"

namespace rooftop::elasticity {
namespace {

using running::Limit;

/// What the iteration is made of.
class Iteration {
 public:
  Iteration(const Body& body, const Options& options, std::span<double> displacement, int threads, Limit& limit)
      : body_(body),
        options_(options),
        displacement_(displacement),
        threads_(threads),
        limit_(limit),
        boxes_(check(body, options, displacement, threads)),
        grid_(boxes_.grid()),
        free_(grid_, threads),
        u_(grid_, threads),
        r_(grid_, threads),
        z_(grid_, threads),
        p_(grid_, threads),
        q_(grid_, threads) {}

  Result run() {
    take();
    const auto go_on = [this] { return limit_.left(); };
    if (boxes_.aligned) {
      matrix_ = std::make_unique<TensorOperator<double>>(*boxes_.aligned, threads_);
    } else {
      auto assembled = std::make_unique<StencilOperator<double>>(assemble(*boxes_.free, threads_, go_on));
      if (options_.single_values) rough_ = std::make_unique<StencilOperator<double, float>>(*assembled, threads_);
      matrix_ = std::move(assembled);
    }
    const AnyBox box{boxes_.aligned ? &*boxes_.aligned : nullptr, boxes_.free ? &*boxes_.free : nullptr};
    const bool assembled = limit_.left();
    if (assembled) reference_ = reference();
    switch (options_.preconditioner) {
      case Preconditioner::none:
        break;
      case Preconditioner::block_jacobi:
        preconditioner_ = block_jacobi(*matrix_, free_, threads_);
        break;
      case Preconditioner::chebyshev:
        if (assembled) preconditioner_ = chebyshev(box, *matrix_, free_, threads_, go_on);
        break;
      case Preconditioner::multigrid:
        if (assembled) preconditioner_ = multigrid(box, *matrix_, free_, threads_, go_on);
        break;
    }
    result_.setup_seconds = limit_.seconds();
    result_.bytes =
        matrix_->bytes() + free_.bytes() + 5 * u_.bytes() + (preconditioner_ == nullptr ? 0 : preconditioner_->bytes());
    if (assembled) iterate();
    if (!limit_.left() && result_.outcome != Outcome::converged) {
      result_.outcome = limit_.stopped() ? Outcome::stopped : Outcome::time_limit;
    }
    give();
    result_.seconds = limit_.seconds();
    return std::move(result_);
  }

 private:
  /// f(i), for each node of the grid.
  template <class Each>
  void for_nodes(Each each) const {
#pragma omp parallel for num_threads(threads_) schedule(static)
    for (std::int64_t n = 0; n < grid_.nodes(); ++n) each(n);
  }
  template <class Each>
  [[nodiscard]] double sum_nodes(Each each) const {
    double sum = 0;
#pragma omp parallel for num_threads(threads_) schedule(static) reduction(+ : sum)
    for (std::int64_t n = 0; n < grid_.nodes(); ++n) sum += each(n);
    return sum;
  }

  void take() {
    for_nodes([&](std::int64_t n) {
      for (int c = 0; c < components; ++c) {
        const auto at = static_cast<std::size_t>(components * n + c);
        free_[c][n] = body_.held[at] == 0 ? 1 : 0;
        u_[c][n] = displacement_[at];
      }
    });
  }
  void give() const {
    for_nodes([&](std::int64_t n) {
      for (int c = 0; c < components; ++c) displacement_[static_cast<std::size_t>(components * n + c)] = u_[c][n];
    });
  }

  /// r = load - A x, 0 where a displacement is held; returns its norm.
  double residual(const Field<double>& x) {
    matrix_->multiply(x, r_, -1, false);
    return std::sqrt(sum_nodes([&](std::int64_t n) {
      double squares = 0;
      for (int c = 0; c < components; ++c) {
        double& r = r_[c][n];
        r = free_[c][n] > 0 ? r + body_.load[static_cast<std::size_t>(components * n + c)] : 0;
        squares += r * r;
      }
      return squares;
    }));
  }

  /// The norm of the load, which forces of prescribed displacements are part of.
  double reference() {
    for_nodes([&](std::int64_t n) {
      for (int c = 0; c < components; ++c) p_[c][n] = free_[c][n] > 0 ? 0 : u_[c][n];
    });
    return residual(p_);
  }

  /// z = M r; returns r·z.
  double precondition(double norm) {
    if (preconditioner_ == nullptr) {
      for_nodes([&](std::int64_t n) {
        for (int c = 0; c < components; ++c) z_[c][n] = r_[c][n];
      });
      return norm * norm;
    }
    preconditioner_->apply(r_, norm, z_);
    return sum_nodes([&](std::int64_t n) { return r_[0][n] * z_[0][n] + r_[1][n] * z_[1][n] + r_[2][n] * z_[2][n]; });
  }

  bool wanted(double norm) {
    if (!options_.watch || limit_.seconds() < told_ + 0.05) return true;
    told_ = limit_.seconds();
    return options_.watch({told_, result_.iterations, norm / reference_});
  }

  void iterate() {
    double norm = residual(u_);
    if (!(reference_ > 0)) reference_ = norm > 0 ? norm : 1;
    result_.residuals.push_back(norm / reference_);
    result_.residual = norm / reference_;
    const double enough = options_.tolerance * reference_;
    // What is summed up step by step drifts from the true residual: iterations begin again from that one.
    for (double before = HUGE_VAL; norm > enough;) {
      if (!(norm < before / 2)) {
        result_.outcome = Outcome::stagnated;
        break;
      }
      before = norm;
      const bool reached = descend(norm, enough);
      norm = residual(u_);
      result_.residual = norm / reference_;
      if (!reached) break;
    }
    if (norm <= enough) result_.outcome = Outcome::converged;
  }

  /// Goes on until the residual is small enough, as far as the recurrence knows; whether it is.
  bool descend(double norm, double enough) {
    const Operator<double>& matrix = rough_ == nullptr ? *matrix_ : *rough_;
    double rz = precondition(norm), replaced = norm;
    for_nodes([&](std::int64_t n) {
      for (int c = 0; c < components; ++c) p_[c][n] = z_[c][n];
    });
    while (norm > enough) {
      if (result_.iterations >= options_.iterations) {
        result_.outcome = Outcome::iteration_limit;
        return false;
      }
      if (!limit_.left()) return false;
      if (!wanted(norm)) {
        limit_.stop();
        return false;
      }
      const double pq = matrix.multiply(p_, q_, 1, false);
      if (!(pq > 0)) {
        result_.outcome = Outcome::stagnated;
        return false;
      }
      const double alpha = rz / pq;
      norm = std::sqrt(sum_nodes([&](std::int64_t n) {
        double squares = 0;
        for (int c = 0; c < components; ++c) {
          u_[c][n] += alpha * p_[c][n];
          double& r = r_[c][n];
          r = free_[c][n] > 0 ? r - alpha * q_[c][n] : 0;
          squares += r * r;
        }
        return squares;
      }));
      ++result_.iterations;
      // What the rough matrix has wrong is taken out of the residual, and directions stay: van der Vorst and Ye,
      // Residual replacement strategies for Krylov subspace iterative methods for the convergence of true residuals,
      // 2000.
      if (rough_ != nullptr && norm < 1e-2 * replaced) replaced = norm = residual(u_);
      result_.residuals.push_back(norm / reference_);
      if (!(norm > enough)) break;
      const double next = precondition(norm), beta = next / rz;
      rz = next;
      for_nodes([&](std::int64_t n) {
        for (int c = 0; c < components; ++c) p_[c][n] = z_[c][n] + beta * p_[c][n];
      });
    }
    return true;
  }

  const Body& body_;
  const Options& options_;
  std::span<double> displacement_;
  int threads_;
  Limit& limit_;
  Boxes boxes_;
  Grid grid_;
  Free free_;
  Field<double> u_, r_, z_, p_, q_;
  std::unique_ptr<Operator<double>> matrix_, rough_;
  std::unique_ptr<ApproximateInverse> preconditioner_;
  Result result_{Outcome::iteration_limit, 0, HUGE_VAL, 0, 0, {}, 0};
  double reference_ = 0, told_ = 0;
};

}  // namespace

Result solve(const Body& body, const Options& options, std::span<double> displacement) {
  Limit limit(options.seconds, options.stop);
  const int threads = options.threads > 0 ? options.threads : omp_get_max_threads();
  return Iteration(body, options, displacement, threads, limit).run();
}

}  // namespace rooftop::elasticity
