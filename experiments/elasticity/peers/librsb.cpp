/// librsb's symmetric products, in the steps of 32-first-touch: of the matrix the lower half is given, by single
/// values. Its blocks are halved until they fit the caches, and it may try other divisions and keep the fastest before
/// the clock runs. Source: Martone, Efficient multithreaded untransposed, transposed or symmetric sparse matrix-vector
/// multiplication with the Recursive Sparse Blocks format, Parallel Computing 40 (2014).
// needs: librsb
#include <rsb.h>

#include <array>
#include <cstddef>
#include <stdexcept>
#include <string>
#include <vector>

#include "conjugate_gradients.hpp"

namespace {

using elasticity::block_values;
using elasticity::components;
using elasticity::Index;
using elasticity::Place;

void check(rsb_err_t error) {
  if (error == RSB_ERR_NO_ERROR) return;
  std::array<char, 256> text{};
  rsb_strerror_r(error, text.data(), text.size());
  throw std::runtime_error("librsb: " + std::string(text.data()));
}

/// The library's own state, of the whole process.
class Library {
 public:
  Library() { check(rsb_lib_init(RSB_NULL_INIT_OPTIONS)); }
  ~Library() { rsb_lib_exit(RSB_NULL_EXIT_OPTIONS); }
  Library(const Library&) = delete;
  Library& operator=(const Library&) = delete;
};

class Librsb : public elasticity::ConjugateGradients {
 public:
  explicit Librsb(const elasticity::Problem& problem) : ConjugateGradients(problem, problem.threads) {
    const rsb_int_t threads = problem.threads;
    check(rsb_lib_set_opt(RSB_IO_WANT_EXECUTING_THREADS, &threads));
    const Index nodes = problem.mesh.nodes();
    // Of each node's diagonal block and of those before it, which are half of the others.
    const auto entries = static_cast<std::size_t>(6 * nodes + block_values * (block_count(problem.mesh) - nodes) / 2);
    std::vector<double> value;
    std::vector<rsb_coo_idx_t> row, column;
    value.reserve(entries), row.reserve(entries), column.reserve(entries);
    for (Index node = 0; node < nodes; ++node) {
      const Place at = elasticity::place_of(problem.mesh, node);
      elasticity::for_neighbours(problem.mesh, at, [&](const Place& place, Index neighbour) {
        if (neighbour > node) return;
        std::array<double, block_values> block{};
        elasticity::fill_block(problem, at, place, block.data());
        for (Index r = 0; r < components; ++r) {
          for (Index c = 0; c < (neighbour == node ? r + 1 : components); ++c) {
            value.push_back(block[static_cast<std::size_t>(components * r + c)]);
            row.push_back(static_cast<rsb_coo_idx_t>(components * node + r));
            column.push_back(static_cast<rsb_coo_idx_t>(components * neighbour + c));
          }
        }
      });
    }
    const auto size = static_cast<rsb_coo_idx_t>(components * nodes);
    rsb_err_t error = RSB_ERR_NO_ERROR;
    matrix_ = rsb_mtx_alloc_from_coo_const(value.data(), row.data(), column.data(),
                                           static_cast<rsb_nnz_idx_t>(value.size()), RSB_NUMERICAL_TYPE_DOUBLE, size,
                                           size, RSB_DEFAULT_ROW_BLOCKING, RSB_DEFAULT_COL_BLOCKING,
                                           RSB_FLAG_DEFAULT_RSB_MATRIX_FLAGS | RSB_FLAG_LOWER_SYMMETRIC, &error);
    check(error);
  }
  ~Librsb() override { rsb_mtx_free(matrix_); }
  Librsb(const Librsb&) = delete;
  Librsb& operator=(const Librsb&) = delete;

  /// Tries other divisions, as its manual advises where many products follow.
  void prepare() override {
    constexpr double one = 1, zero = 0, seconds = 0.5;  // for each of the tries
    constexpr rsb_int_t rounds = 1;
    check(rsb_tune_spmm(&matrix_, nullptr, nullptr, rounds, seconds, RSB_TRANSPOSITION_N, &one, nullptr, 1,
                        RSB_FLAG_WANT_COLUMN_MAJOR_ORDER, nullptr, 0, &zero, nullptr, 0));
  }

 private:
  void multiply(const double* x, double* y) override {
    constexpr double one = 1, zero = 0;
    check(rsb_spmv(RSB_TRANSPOSITION_N, &one, matrix_, x, 1, &zero, y, 1));
  }

  [[nodiscard]] double matrix_bytes() const override {
    std::size_t bytes = 0;
    check(rsb_mtx_get_info(matrix_, RSB_MIF_TOTAL_SIZE__TO__SIZE_T, &bytes));
    return static_cast<double>(bytes);
  }

  inline static const Library library_;
  rsb_mtx_t* matrix_ = nullptr;
};

}  // namespace

ROOFTOP_RUNG(elasticity::Problem, Librsb);
