/// What the public classes keep.
#pragma once

#include <cstddef>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "library.hpp"
#include "pipeline.hpp"
#include "rooftop/h5io.hpp"
#include "source.hpp"

namespace rooftop::h5io {

class File::Open {
 public:
  explicit Open(const std::string& path);

  std::string path;
  internal::Source source;
  internal::FileId id;
};

class Dataset::Open {
 public:
  /// Throws FileError.
  Open(std::shared_ptr<const File::Open> file, const std::string& name);

  /// "FILE: dataset NAME", for messages.
  [[nodiscard]] std::string where() const;

  std::shared_ptr<const File::Open> file;
  std::string name;
  internal::DatasetId id;
  internal::TypeId type;  ///< in the file, and in memory: nothing is converted
  Description description;
  /// Of the array in the file, where it lies there in one piece, or nothing was written yet.
  bool in_one_piece = false;
  std::optional<std::uint64_t> address;
  /// Where the layout is chunked and every filter can be undone here.
  std::optional<internal::Pipeline> pipeline;
  std::vector<std::byte> fill;  ///< one element

 private:
  void describe();
  void describe_layout(hid_t properties);
};

}  // namespace rooftop::h5io
