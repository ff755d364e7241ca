#include "linked_files.hpp"

#include <algorithm>
#include <filesystem>
#include <string>
#include <utility>

#include "open_file.hpp"

namespace rooftop::h5io::internal {
namespace {

unsigned long number_of_file(hid_t object) {
#if H5_VERSION_GE(1, 12, 0)
  H5O_info2_t info;
  const herr_t done = H5Oget_info3(object, &info, H5O_INFO_BASIC);
#else
  H5O_info_t info;
  const herr_t done = H5Oget_info2(object, &info, H5O_INFO_BASIC);
#endif
  if (done < 0) throw FileError("an object's file cannot be told: " + Locked::reason());
  return info.fileno;
}

/// Returns the absolute path of the file of an object, which stays valid if the working folder changes.
std::string path_of_file(hid_t object) {
  std::string name(static_cast<std::size_t>(std::max<ssize_t>(H5Fget_name(object, nullptr, 0), 0)), '\0');
  H5Fget_name(object, name.data(), name.size() + 1);
  std::error_code none;
  const auto path = std::filesystem::canonical(name, none);
  return none ? name : path.string();
}

}  // namespace

std::shared_ptr<const File::Open> LinkedFiles::file_of(hid_t object, const std::shared_ptr<const File::Open>& own) {
  const unsigned long number = number_of_file(object);
  if (number == number_of_file(own->id.get())) return own;
  const auto found = files_.find(number);
  if (found != files_.end()) return found->second;
  FileId file(H5Iget_file_id(object));
  if (!file.valid()) throw FileError("an object's file cannot be told: " + Locked::reason());
  return files_.emplace(number, std::make_shared<File::Open>(path_of_file(object), std::move(file))).first->second;
}

std::vector<std::shared_ptr<File::Open>> LinkedFiles::all() const {
  std::vector<std::shared_ptr<File::Open>> files;
  for (const auto& [number, file] : files_) files.push_back(file);
  return files;
}

}  // namespace rooftop::h5io::internal
