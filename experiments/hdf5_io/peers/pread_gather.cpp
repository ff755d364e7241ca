/// What one would write by hand for this file and this selection: pread of large parts by all threads, and a gather
/// from them. Only for arrays that lie in one piece; their place in the file is asked of HDF5 once.
// needs: HDF5
#include <omp.h>

#include <algorithm>
#include <cstring>
#include <vector>

#include "reading.hpp"

namespace {

class PreadGather : public hdf5_io::ReadingRung {
 public:
  explicit PreadGather(const hdf5_io::Problem& problem) : ReadingRung(problem), file_(problem.file, O_RDONLY) {
    if (problem.parameters.chunked()) throw rooftop::Skip("chunks do not lie in one piece");
    const hid_t file = H5Fopen(problem.file.c_str(), H5F_ACC_RDONLY, H5P_DEFAULT);
    const hid_t dataset = H5Dopen2(file, "x", H5P_DEFAULT);
    start_ = static_cast<off_t>(H5Dget_offset(dataset));
    H5Dclose(dataset), H5Fclose(file);
  }

  void run() override {
    const auto& p = p_.parameters;
    const std::int64_t blocks = p.rows * p.blocks();
    // All of a row is one block: the array is read as it lies.
    if (p.block == p.columns) return read_all(p.rows * p.columns);
    if (p.stride - p.block > longest_gap) return read_blocks(blocks);
    const std::int64_t step = std::max<std::int64_t>(1, at_once / p.stride);
#pragma omp parallel num_threads(p_.threads)
    {
      std::vector<float> buffer(static_cast<std::size_t>(step * p.stride));
#pragma omp for schedule(dynamic, 16)
      for (std::int64_t first = 0; first < blocks; first += step) {
        gather(first, std::min(step, blocks - first), buffer.data());
      }
    }
  }

 private:
  /// Elements that fit in an L2 cache.
  static constexpr std::int64_t at_once = 1 << 16;
  /// Elements that take longer to read than another call does.
  static constexpr std::int64_t longest_gap = 1 << 12;

  void read(std::int64_t element, float* to, std::int64_t count) const {
    auto* at = reinterpret_cast<char*>(to);
    auto bytes = count * static_cast<std::int64_t>(sizeof(float));
    off_t place = start_ + element * static_cast<off_t>(sizeof(float));
    while (bytes > 0) {
      const ssize_t got = pread(file_.get(), at, static_cast<std::size_t>(bytes), place);
      rooftop::require(got > 0, p_.file, " cannot be read");
      at += got, place += got, bytes -= got;
    }
  }

  void read_all(std::int64_t elements) const {
    constexpr std::int64_t part = 1 << 20;
#pragma omp parallel for schedule(dynamic) num_threads(p_.threads)
    for (std::int64_t first = 0; first < elements; first += part) {
      read(first, p_.out + first, std::min(part, elements - first));
    }
  }

  void read_blocks(std::int64_t blocks) const {
    const auto& p = p_.parameters;
#pragma omp parallel for schedule(dynamic, 64) num_threads(p_.threads)
    for (std::int64_t i = 0; i < blocks; ++i) {
      read(i / p.blocks() * p.columns + i % p.blocks() * p.stride, p_.out + i * p.block, p.block);
    }
  }

  /// Some blocks, which may lie in two rows.
  void gather(std::int64_t first, std::int64_t count, float* buffer) const {
    const auto& p = p_.parameters;
    while (count > 0) {
      const std::int64_t row = first / p.blocks(), in_row = first % p.blocks();
      const std::int64_t here = std::min(count, p.blocks() - in_row);
      read(row * p.columns + in_row * p.stride, buffer, (here - 1) * p.stride + p.block);
      float* const to = p_.out + first * p.block;
      for (std::int64_t i = 0; i < here; ++i) {
        std::copy_n(buffer + i * p.stride, p.block, to + i * p.block);
      }
      first += here, count -= here;
    }
  }

  hdf5_io::Descriptor file_;
  off_t start_ = 0;
};

}  // namespace

ROOFTOP_RUNG(hdf5_io::Problem, PreadGather);
