#include "iteration.hpp"

#include <cstddef>
#include <limits>
#include <utility>

namespace rooftop::elasticity {
namespace {

constexpr double as_good_as_exact = 4;  // times what rounding makes: the product itself rounds, too

}  // namespace

Iteration::Iteration(const Grid& grid, std::span<const double> load, std::span<const std::uint8_t> held,
                     const Options& options, std::span<double> displacement, int threads, running::Limit& limit)
    : grid_(grid),
      load_(load),
      held_(held),
      options_(options),
      displacement_(displacement),
      threads_(threads),
      limit_(limit),
      free_(grid, threads),
      u_(grid, threads),
      r_(grid, threads),
      z_(grid, threads),
      p_(grid, threads),
      q_(grid, threads) {
  take();
}

/// f(i), for each node of the grid.
template <class Each>
void Iteration::for_nodes(Each each) const {
#pragma omp parallel for num_threads(threads_) schedule(static)
  for (std::int64_t n = 0; n < grid_.nodes(); ++n) each(n);
}
template <class Each>
double Iteration::sum_nodes(Each each) const {
  double sum = 0;
#pragma omp parallel for num_threads(threads_) schedule(static) reduction(+ : sum)
  for (std::int64_t n = 0; n < grid_.nodes(); ++n) sum += each(n);
  return matrices_.exact->sum_of_all(sum);
}

void Iteration::take() {
  for_nodes([&](std::int64_t n) {
    for (int c = 0; c < components; ++c) {
      const auto at = static_cast<std::size_t>(components * n + c);
      free_[c][n] = held_[at] == 0 ? 1 : 0;
      u_[c][n] = displacement_[at];
    }
  });
}
void Iteration::give() const {
  for_nodes([&](std::int64_t n) {
    for (int c = 0; c < components; ++c) displacement_[static_cast<std::size_t>(components * n + c)] = u_[c][n];
  });
}

/// r = load - A x, 0 where a displacement is held; returns its norm.
double Iteration::residual(const Field<double>& x) {
  matrices_.exact->multiply(x, r_, -1, false);
  return std::sqrt(sum_nodes([&](std::int64_t n) {
    double squares = 0;
    for (int c = 0; c < components; ++c) {
      double& r = r_[c][n];
      r = free_[c][n] > 0 ? r + load_[static_cast<std::size_t>(components * n + c)] : 0;
      squares += r * r;
    }
    return squares;
  }));
}

/// The norm of the load, which forces of prescribed displacements are part of.
double Iteration::reference() {
  for_nodes([&](std::int64_t n) {
    for (int c = 0; c < components; ++c) p_[c][n] = free_[c][n] > 0 ? 0 : u_[c][n];
  });
  return residual(p_);
}

/// The norm of the residual that rounding makes of a displacement: each value is off by up to half of its last digit,
/// this way or that.
double Iteration::rounding() {
  for_nodes([&](std::int64_t n) {
    for (int c = 0; c < components; ++c) {
      auto bits = static_cast<std::uint64_t>(components * n + c) * 0x9E3779B97F4A7C15U;
      bits ^= bits >> 32;
      const double half = (bits & 1) != 0 ? 0.25 : -0.25;  // of epsilon: half a digit on the average
      p_[c][n] = half * std::numeric_limits<double>::epsilon() * u_[c][n];
    }
  });
  matrices_.exact->multiply(p_, q_, 1, false);
  return std::sqrt(sum_nodes([&](std::int64_t n) {
    double squares = 0;
    for (int c = 0; c < components; ++c) squares += free_[c][n] > 0 ? q_[c][n] * q_[c][n] : 0;
    return squares;
  }));
}

/// z = M r; returns r·z.
double Iteration::precondition(double norm) {
  if (matrices_.inverse == nullptr) {
    for_nodes([&](std::int64_t n) {
      for (int c = 0; c < components; ++c) z_[c][n] = r_[c][n];
    });
    return norm * norm;
  }
  matrices_.inverse->apply(r_, norm, z_);
  return sum_nodes([&](std::int64_t n) { return r_[0][n] * z_[0][n] + r_[1][n] * z_[1][n] + r_[2][n] * z_[2][n]; });
}

/// A preconditioner that is not positive definite, for rounding, makes no progress: block Jacobi is always one. Whether
/// there was one to replace.
bool Iteration::replace_inverse() {
  if (matrices_.inverse == nullptr || result_.replaced) return false;
  matrices_.inverse = block_jacobi(*matrices_.exact, free_, threads_);
  result_.replaced = true;
  return true;
}

bool Iteration::wanted(double norm) {
  if (!options_.watch || limit_.seconds() < told_ + 0.05) return true;
  told_ = limit_.seconds();
  return options_.watch({told_, result_.iterations, norm / reference_});
}

/// Whether to go on, which processes decide alike.
bool Iteration::left() {
  if (ended_ > 0) return false;
  const bool own = limit_.left();
  const int why = limit_.stopped() ? 2 : 1;
  ended_ = matrices_.exact->largest_of_all(own ? 0 : why);
  return ended_ == 0;
}

void Iteration::iterate() {
  double norm = residual(u_);
  if (!(reference_ > 0)) reference_ = norm > 0 ? norm : 1;
  result_.residuals.push_back(norm / reference_);
  result_.residual = norm / reference_;
  const double enough = options_.tolerance * reference_;
  // What is summed up step by step drifts from the true residual: iterations begin again from that one.
  bool replaced = false;
  for (double before = HUGE_VAL; norm > enough;) {
    const bool fresh = result_.replaced != replaced;
    replaced = result_.replaced;
    if (!fresh && !(norm < before / 2)) {
      result_.outcome = Outcome::stagnated;
      break;
    }
    before = norm;
    const bool reached = descend(norm, enough);
    norm = residual(u_);
    result_.residual = norm / reference_;
    if (!reached) break;
    // More iterations would be for nothing.
    if (norm > enough && norm < as_good_as_exact * rounding()) {
      result_.outcome = Outcome::stagnated;
      break;
    }
  }
  if (norm <= enough) {
    result_.outcome = Outcome::converged;
  } else {
    result_.rounding = rounding() / reference_;
  }
}

/// Goes on until the residual is small enough, as far as the recurrence knows; whether it is.
bool Iteration::descend(double norm, double enough) {
  const Operator<double>& matrix = matrices_.rough == nullptr ? *matrices_.exact : *matrices_.rough;
  double rz = precondition(norm), replaced = norm;
  if (!(rz > 0) && replace_inverse()) rz = precondition(norm);
  for_nodes([&](std::int64_t n) {
    for (int c = 0; c < components; ++c) p_[c][n] = z_[c][n];
  });
  while (norm > enough) {
    if (result_.iterations >= options_.iterations) {
      result_.outcome = Outcome::iteration_limit;
      return false;
    }
    if (limit_.left() && !wanted(norm)) limit_.stop();
    if (!left()) return false;
    const double pq = matrix.multiply(p_, q_, 1, false);
    if (!(pq > 0) || !(rz > 0)) {
      if (replace_inverse()) return true;  // it begins again
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
    if (matrices_.rough != nullptr && norm < 1e-2 * replaced) replaced = norm = residual(u_);
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

Result Iteration::run(Matrices matrices) {
  matrices_ = std::move(matrices);
  result_.setup_seconds = limit_.seconds();
  const auto bytes = [](const auto& part) { return part == nullptr ? 0 : part->bytes(); };
  result_.bytes =
      bytes(matrices_.exact) + bytes(matrices_.rough) + bytes(matrices_.inverse) + free_.bytes() + 5 * u_.bytes();
  result_.product_bytes = bytes(matrices_.rough == nullptr ? matrices_.exact : matrices_.rough);
  if (matrices_.inverse != nullptr) {
    const Sweeps sweeps = matrices_.inverse->sweeps();
    result_.smoother_bytes = sweeps.bytes;
    result_.sweeps = sweeps.count;
  }
  result_.stretched = matrices_.inverse != nullptr && matrices_.inverse->stretched();
  if (left()) {
    reference_ = reference();
    iterate();
  }
  if (!left() && result_.outcome != Outcome::converged) {
    result_.outcome = ended_ == 2 ? Outcome::stopped : Outcome::time_limit;
  }
  give();
  result_.seconds = limit_.seconds();
  return std::move(result_);
}

}  // namespace rooftop::elasticity
