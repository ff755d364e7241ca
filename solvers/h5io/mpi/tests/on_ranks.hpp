/// For tests on ranks: the ranks, a shared file, expected values of selections, and messages of exceptions.
#pragma once

#include <mpi.h>

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "rooftop/h5io_mpi.hpp"
#include "sample_file.hpp"

namespace rooftop::h5io::tests {

using Shape = std::vector<std::uint64_t>;

struct World {
  int rank = 0, size = 1;
  World() {
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
  }
};

inline std::uint64_t sum_of_all(std::uint64_t own) {
  MPI_Allreduce(MPI_IN_PLACE, &own, 1, MPI_UINT64_T, MPI_SUM, MPI_COMM_WORLD);
  return own;
}

/// A file that rank 0 creates and removes, with the same path on all ranks.
class SharedSample {
 public:
  explicit SharedSample(
      const std::string& name, const std::function<void(SampleFile&)>& make = [](SampleFile&) {}) {
    if (world_.rank == 0) {
      sample_.emplace(name);
      make(*sample_);
      path_ = sample_->path();
    }
    auto length = static_cast<int>(path_.size());
    MPI_Bcast(&length, 1, MPI_INT, 0, MPI_COMM_WORLD);
    path_.resize(static_cast<std::size_t>(length));
    MPI_Bcast(path_.data(), length, MPI_CHAR, 0, MPI_COMM_WORLD);
  }
  SharedSample(const SharedSample&) = delete;
  SharedSample& operator=(const SharedSample&) = delete;
  ~SharedSample() { MPI_Barrier(MPI_COMM_WORLD); }

  [[nodiscard]] const std::string& path() const { return path_; }

 private:
  World world_;
  std::optional<SampleFile> sample_;
  std::string path_;
};

/// Calls `body` on rank 0 while the other ranks wait.
inline void on_first(const std::function<void()>& body) {
  MPI_Barrier(MPI_COMM_WORLD);
  if (World().rank == 0) body();
  MPI_Barrier(MPI_COMM_WORLD);
}

/// Returns the row-major numbers of the selected elements.
inline std::vector<std::uint64_t> numbers_of(const Shape& shape, const std::vector<Span>& spans) {
  std::vector<std::uint64_t> numbers{0};
  for (std::size_t d = 0; d < shape.size(); ++d) {
    std::vector<std::uint64_t> more;
    for (const std::uint64_t number : numbers) {
      for (std::uint64_t i = 0; i < spans[d].count; ++i) {
        for (std::uint64_t j = 0; j < spans[d].block; ++j) {
          more.push_back(number * shape[d] + spans[d].start + i * spans[d].stride + j);
        }
      }
    }
    numbers = std::move(more);
  }
  return numbers;
}

inline std::uint64_t elements_of(const Shape& shape) {
  std::uint64_t elements = 1;
  for (const std::uint64_t extent : shape) elements *= extent;
  return elements;
}

/// Returns the selection of a rank's rows along the first dimension, which may be none.
inline std::vector<Span> rows_of(const Shape& shape, const World& world) {
  std::vector<Span> spans;
  for (const std::uint64_t extent : shape) spans.push_back({0, 1, 1, extent});
  const auto rank = static_cast<std::uint64_t>(world.rank), size = static_cast<std::uint64_t>(world.size);
  spans[0].start = shape[0] * rank / size;
  spans[0].block = shape[0] * (rank + 1) / size - spans[0].start;
  return spans;
}

/// Returns the selection of every n-th element of the last dimension for n ranks, beginning at the rank's number.
inline std::vector<Span> dealt_of(const Shape& shape, const World& world) {
  std::vector<Span> spans;
  for (const std::uint64_t extent : shape) spans.push_back({0, 1, 1, extent});
  const auto rank = static_cast<std::uint64_t>(world.rank), size = static_cast<std::uint64_t>(world.size);
  const std::uint64_t extent = shape.back();
  spans.back() = {rank, rank < extent ? (extent - rank - 1) / size + 1 : 0, size, 1};
  if (spans.back().count == 0) spans.back().start = 0;
  return spans;
}

/// Returns the message of the exception of type `Error` on this rank.
template <typename Error, typename Body>
std::string message_of(const Body& body) {
  try {
    body();
  } catch (const Error& error) {
    return error.what();
  }
  return "nothing was thrown";
}

}  // namespace rooftop::h5io::tests
