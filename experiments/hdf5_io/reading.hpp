/// What all rungs do besides their reading.
#pragma once

#include <algorithm>
#include <filesystem>
#include <rooftop/rung.hpp>

#include "problem.hpp"
#include "sample_file.hpp"

namespace hdf5_io {

class ReadingRung : public rooftop::Rung {
 public:
  explicit ReadingRung(const Problem& problem) : p_(problem) { require_file(problem); }

  [[nodiscard]] bool starts_anew() const override { return p_.parameters.cold != 0; }
  void reset() override { drop_cache(p_.file); }
  [[nodiscard]] rooftop::Work work() const override {
    const auto bytes = static_cast<double>(p_.parameters.selected()) * sizeof(float);
    const auto file_bytes = static_cast<double>(std::filesystem::file_size(p_.file));
    // Copied out of the system's cache: read and written. What is compressed is less in the file.
    return {.memory_bytes = 2 * bytes,
            .working_set_bytes = 2 * bytes,
            .device_bytes = std::min(bytes, file_bytes),
            .device_extent_bytes = file_bytes,
            .algorithm = "exact"};
  }

 protected:
  const Problem& p_;
};

}  // namespace hdf5_io
