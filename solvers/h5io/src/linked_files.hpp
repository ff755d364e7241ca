/// Files that external links of another file lead to.
#pragma once

#include <hdf5.h>

#include <map>
#include <memory>
#include <vector>

#include "rooftop/h5io.hpp"

namespace rooftop::h5io::internal {

/// Each is open once, and has bytes and addresses of its own. All functions are called under the library's lock.
class LinkedFiles {
 public:
  /// The file that `object` lies in: `own`, by whose links it was opened, or another one, which is kept. Throws
  /// FileError.
  std::shared_ptr<const File::Open> file_of(hid_t object, const std::shared_ptr<const File::Open>& own);
  [[nodiscard]] std::vector<std::shared_ptr<File::Open>> all() const;

 private:
  std::map<unsigned long, std::shared_ptr<File::Open>>
      files_;  ///< by the library's numbers, which tell open files apart
};

}  // namespace rooftop::h5io::internal
