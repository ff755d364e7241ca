#include "plugin.hpp"

#include <H5PLextern.h>
#include <dlfcn.h>

#include <algorithm>
#include <array>
#include <filesystem>
#include <map>
#include <string>
#include <system_error>
#include <vector>

#include "library.hpp"
#include "rooftop/h5io.hpp"

namespace rooftop::h5io::internal {
namespace {

/// Where the library looks.
std::vector<std::string> folders() {
  unsigned count = 0;
  if (H5PLsize(&count) < 0) return {};
  std::vector<std::string> paths;
  for (unsigned i = 0; i < count; ++i) {
    const ssize_t length = H5PLget(i, nullptr, 0);
    if (length <= 0) continue;
    std::string path(static_cast<std::size_t>(length) + 1, '\0');
    if (H5PLget(i, path.data(), path.size()) < 0) continue;
    path.resize(static_cast<std::size_t>(length));
    paths.push_back(path);
  }
  return paths;
}

/// The library looks nowhere behind a folder that is not there, its default one above all (HDF5's issue 3248).
void forget_missing_folders(const std::vector<std::string>& paths) {
  for (std::size_t i = paths.size(); i-- > 0;) {
    if (!std::filesystem::is_directory(paths[i])) H5PLremove(static_cast<unsigned>(i));
  }
}

/// Filters that keep nothing between calls, by the number that The HDF Group gave them: Blosc, LZ4, bitshuffle,
/// Zstandard, Blosc2.
constexpr std::array sound_on_threads{32001, 32004, 32008, 32015, 32026};

/// The plugin's filter where it is the one; the file stays loaded then.
H5Z_func_t function_of(const std::string& file, int filter) {
  void* const plugin = dlopen(file.c_str(), RTLD_LAZY | RTLD_LOCAL);
  if (plugin == nullptr) return nullptr;
  const auto type = reinterpret_cast<H5PL_type_t (*)()>(dlsym(plugin, "H5PLget_plugin_type"));
  const auto info = reinterpret_cast<const void* (*)()>(dlsym(plugin, "H5PLget_plugin_info"));
  if (type != nullptr && info != nullptr && type() == H5PL_TYPE_FILTER) {
    const auto* const found = static_cast<const H5Z_class2_t*>(info());
    if (found != nullptr && found->id == filter) return found->filter;
  }
  dlclose(plugin);
  return nullptr;
}

H5Z_func_t look_for(int filter) {
  for (const std::string& folder : folders()) {
    std::error_code none;
    for (const auto& entry : std::filesystem::directory_iterator(folder, none)) {
      if (entry.path().filename().string().find(".so") == std::string::npos) continue;
      if (const H5Z_func_t function = function_of(entry.path().string(), filter)) return function;
    }
  }
  return nullptr;
}

}  // namespace

bool is_available(int filter) {
  forget_missing_folders(folders());
  return H5Zfilter_avail(filter) > 0;
}

H5Z_func_t plugin_function(int filter) {
  if (std::find(sound_on_threads.begin(), sound_on_threads.end(), filter) == sound_on_threads.end()) return nullptr;
  static std::map<int, H5Z_func_t> known;
  const auto found = known.find(filter);
  if (found != known.end()) return found->second;
  const H5Z_func_t function = look_for(filter);
  // One that is not there may be there later: its folder can be named at any time.
  if (function != nullptr) known[filter] = function;
  return function;
}

}  // namespace rooftop::h5io::internal

namespace rooftop::h5io {

void add_plugins(const std::string& folder) {
  if (!std::filesystem::is_directory(folder)) {
    throw InvalidArgument("the plugins' folder is " + folder + ", which is no folder; expected one");
  }
  const internal::Locked locked;
  for (const std::string& known : internal::folders()) {
    if (known == folder) return;
  }
  if (H5PLappend(folder.c_str()) < 0) throw std::runtime_error("plugins: " + internal::Locked::reason());
}

}  // namespace rooftop::h5io
