/// An exchange in which MPI takes values from where they are to where they belong, by derived datatypes.
#pragma once

#include <mpi.h>

#include <cstddef>
#include <vector>

#include "problem.hpp"
#include "ranks.hpp"

namespace ft {

/// A block of an array of z planes of y rows of x values.
struct Block {
  Index sizes[3];  ///< of the array: z, y, x
  Part z, y, x;
};

inline MPI_Datatype type_of(const Block& block) {
  MPI_Datatype type = MPI_DATATYPE_NULL;
  const int sizes[] = {static_cast<int>(block.sizes[0]), static_cast<int>(block.sizes[1]),
                       static_cast<int>(block.sizes[2])};
  const int counts[] = {static_cast<int>(block.z.count), static_cast<int>(block.y.count),
                        static_cast<int>(block.x.count)};
  const int firsts[] = {static_cast<int>(block.z.first), static_cast<int>(block.y.first),
                        static_cast<int>(block.x.first)};
  MPI_Type_create_subarray(3, sizes, counts, firsts, MPI_ORDER_C, MPI_C_DOUBLE_COMPLEX, &type);
  MPI_Type_commit(&type);
  return type;
}

/// Between two arrays, one block of each for every rank, and either way.
class Transposition {
 public:
  /// BlockOf gives the block that is exchanged with a rank.
  template <typename BlockOf, typename OtherBlockOf>
  Transposition(MPI_Comm ranks, const BlockOf& here, const OtherBlockOf& there) : ranks_(ranks) {
    int count = 0;
    MPI_Comm_size(ranks_, &count);
    for (int rank = 0; rank < count; ++rank) {
      here_.push_back(type_of(here(rank)));
      there_.push_back(type_of(there(rank)));
    }
    ones_.assign(here_.size(), 1);
    zeros_.assign(here_.size(), 0);
  }
  Transposition(const Transposition&) = delete;
  Transposition& operator=(const Transposition&) = delete;
  ~Transposition() {
    for (MPI_Datatype& type : here_) MPI_Type_free(&type);
    for (MPI_Datatype& type : there_) MPI_Type_free(&type);
  }

  void forth(const Complex* here, Complex* there) const {
    MPI_Alltoallw(here, ones_.data(), zeros_.data(), here_.data(), there, ones_.data(), zeros_.data(), there_.data(),
                  ranks_);
  }
  void back(const Complex* there, Complex* here) const {
    MPI_Alltoallw(there, ones_.data(), zeros_.data(), there_.data(), here, ones_.data(), zeros_.data(), here_.data(),
                  ranks_);
  }
  /// The same without waiting for it.
  [[nodiscard]] MPI_Request start_back(const Complex* there, Complex* here) const {
    MPI_Request request = MPI_REQUEST_NULL;
    MPI_Ialltoallw(there, ones_.data(), zeros_.data(), there_.data(), here, ones_.data(), zeros_.data(), here_.data(),
                   ranks_, &request);
    return request;
  }

 private:
  MPI_Comm ranks_;
  std::vector<int> ones_, zeros_;
  std::vector<MPI_Datatype> here_, there_;
};

}  // namespace ft
