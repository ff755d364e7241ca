/// Files that a file's external links lead to.
#pragma once

#include <hdf5.h>

#include <map>
#include <memory>
#include <vector>

#include "rooftop/h5io.hpp"

namespace rooftop::h5io::internal {

/// Opens each linked file once. The caller of any function holds the library's lock.
class LinkedFiles {
 public:
  /// Returns the file that holds `object`: `own`, through whose links it was opened, or a linked file, which is kept
  /// open. Throws FileError.
  std::shared_ptr<const File::Open> file_of(hid_t object, const std::shared_ptr<const File::Open>& own);
  [[nodiscard]] std::vector<std::shared_ptr<File::Open>> all() const;

 private:
  std::map<unsigned long, std::shared_ptr<File::Open>>
      files_;  ///< by the library's file numbers, which are unique among open files
};

}  // namespace rooftop::h5io::internal
