/// What all rungs do besides their reading.
#pragma once

#include <algorithm>
#include <filesystem>
#include <rooftop/rung.hpp>
#include <string>

#include "layout.hpp"
#include "sample_file.hpp"

namespace hdf5_io {

using WriteFile = void (*)(const std::string& path, const Parameters& p, const Layout& layout);

class ReadingRung : public rooftop::Rung {
 public:
  explicit ReadingRung(const Problem& problem) : ReadingRung(problem, layout_of(problem.parameters)) {}

  /// With a file of its own. There is none where it would have no elements: that of a rank without a part.
  ReadingRung(const Problem& problem, const Layout& layout, WriteFile write = write_file)
      : p_(problem), path_(path_of(problem, layout)) {
    if (layout.rows == 0 || layout.columns == 0) return;
    require_file(path_, [&](const std::string& unfinished) { write(unfinished, problem.parameters, layout); });
  }

  [[nodiscard]] bool starts_anew() const override { return p_.parameters.cold != 0; }
  void reset() override { drop_cache(path_); }
  [[nodiscard]] rooftop::Work work() const override {
    const auto bytes = static_cast<double>(p_.parameters.selected()) * sizeof(float);
    const auto file_bytes = static_cast<double>(std::filesystem::file_size(path_));
    // Copied out of the system's cache: read and written. What is compressed is less in the file.
    return {.memory_bytes = 2 * bytes,
            .working_set_bytes = 2 * bytes,
            .device_bytes = std::min(bytes, file_bytes),
            .device_extent_bytes = file_bytes,
            .algorithm = "exact"};
  }

 protected:
  const Problem& p_;
  std::string path_;  ///< of the file that is read
};

}  // namespace hdf5_io
