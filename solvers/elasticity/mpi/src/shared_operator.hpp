/// The matrix of a box that ranks share.
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "communicator.hpp"
#include "halo.hpp"
#include "operators.hpp"
#include "shared_box.hpp"

namespace rooftop::elasticity {

/// Products with a matrix of the local grid, whose rows of this rank's nodes are complete. The nodes beside them are
/// fetched first; or, to overlap, they are zero at first, and what they add is added when they have arrived: by the
/// matrices of the elements between them and this rank's nodes, a layer on each side.
template <class T>
class SharedOperator : public Operator<T> {
 public:
  SharedOperator(std::unique_ptr<Operator<T>> local, const SharedBox& box, bool overlap, int threads,
                 const Communicator& ranks, const GoOn& go_on);

  double multiply(const Field<T>& x, Field<T>& y, T scale, bool add) const override;
  [[nodiscard]] std::array<T, diagonal_values> diagonal(std::int64_t node) const override {
    return local_->diagonal(node);
  }
  [[nodiscard]] const Grid& grid() const override { return local_->grid(); }
  [[nodiscard]] double bytes() const override;

  [[nodiscard]] Place place() const override { return place_; }
  [[nodiscard]] double sum_of_all(double own) const override { return ranks_.sum(own); }
  [[nodiscard]] int largest_of_all(int own) const override { return ranks_.largest(own); }

  [[nodiscard]] const Operator<T>& local() const { return *local_; }
  [[nodiscard]] Halo<T>& halo() const { return halo_; }

 private:
  /// Elements between nodes of other ranks and this rank's.
  struct Side {
    Range box;     // its nodes
    Range others;  // those of them that count here: a node of several sides counts in one
    Range own;     // those of this rank
    std::unique_ptr<Operator<T>> matrix;
    Field<T> x, y;  // of the box
  };

  void add_sides(const Field<T>& x, Field<T>& y, T scale) const;

  const Communicator& ranks_;
  std::unique_ptr<Operator<T>> local_;
  Place place_;
  Range own_;
  int threads_;
  mutable Halo<T> halo_;
  mutable std::vector<Side> sides_;
};

}  // namespace rooftop::elasticity
