#include "plugin.hpp"

#include <H5PLextern.h>
#include <dlfcn.h>
#include <sys/mman.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <filesystem>
#include <fstream>
#include <map>
#include <sstream>
#include <string>
#include <system_error>
#include <vector>

#include "library.hpp"
#include "lzf.hpp"
#include "rooftop/h5io.hpp"

namespace rooftop::h5io::internal {
namespace {

/// Returns the library's search path for plugins.
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

/// Removes missing folders from the search path: the library stops its search at the first one, which is often its
/// default folder (HDF5's issue 3248).
void forget_missing_folders(const std::vector<std::string>& paths) {
  for (std::size_t i = paths.size(); i-- > 0;) {
    if (!std::filesystem::is_directory(paths[i])) H5PLremove(static_cast<unsigned>(i));
  }
}

/// Filters that keep no state between calls, by their registered numbers: LZF, Blosc, LZ4, bitshuffle, Zstandard,
/// Blosc2.
constexpr std::array sound_on_threads{lzf_id, 32001, 32004, 32008, 32015, 32026};

/// Returns the filter of a loaded shared library, or null if it is not a filter plugin.
const H5Z_class2_t* filter_in(void* library) {
  if (library == nullptr) return nullptr;
  const auto type = reinterpret_cast<H5PL_type_t (*)()>(dlsym(library, "H5PLget_plugin_type"));
  const auto info = reinterpret_cast<const void* (*)()>(dlsym(library, "H5PLget_plugin_info"));
  return type != nullptr && info != nullptr && type() == H5PL_TYPE_FILTER ? static_cast<const H5Z_class2_t*>(info())
                                                                          : nullptr;
}

bool has_filter(const std::string& path, int filter) {
  void* const library = dlopen(path.c_str(), RTLD_LAZY | RTLD_LOCAL);
  const H5Z_class2_t* const found = filter_in(library);
  const bool has = found != nullptr && found->id == filter;
  if (library != nullptr) dlclose(library);
  return has;
}

/// Loads a private copy of a plugin from memory, and never unloads it. A plugin remembers which HDF5 library it calls,
/// and another HDF5 in this process, such as h5py's, may have loaded the file itself. The copy's descriptor stays open:
/// if its number were reused, dlopen() would take another library for this one.
void* load_copy(const std::string& path) {
  const int copy = memfd_create("hdf5-plugin", MFD_CLOEXEC);
  std::ifstream file(path, std::ios::binary);
  std::ostringstream bytes;
  bytes << file.rdbuf();
  const std::string text = bytes.str();
  if (copy < 0 || write(copy, text.data(), text.size()) != static_cast<ssize_t>(text.size())) return nullptr;
  return dlopen(("/proc/self/fd/" + std::to_string(copy)).c_str(), RTLD_LAZY | RTLD_LOCAL);
}

constexpr int first_of_others = 256;  // lower numbers are reserved for HDF5's own filters

/// Loads a plugin, registers its filter with the library, and returns the filter; null if that fails.
const H5Z_class2_t* registered(const std::string& path) {
  void* const plugin = load_copy(path);
  const H5Z_class2_t* const found = filter_in(plugin);
  if (found == nullptr) return nullptr;
  // Plugins of the Python package hdf5plugin are not linked with HDF5. init_filter() tells them which one to call.
  const auto tell = reinterpret_cast<int (*)(const char*)>(dlsym(plugin, "init_filter"));
  Dl_info library{};
  if (tell != nullptr && dladdr(reinterpret_cast<void*>(&H5open), &library) != 0) tell(library.dli_fname);
  return H5Zregister(found) >= 0 ? found : nullptr;
}

const H5Z_class2_t* look_for(int filter) {
  for (const std::string& folder : folders()) {
    std::error_code none;
    for (const auto& entry : std::filesystem::directory_iterator(folder, none)) {
      if (entry.path().filename().string().find(".so") == std::string::npos) continue;
      if (has_filter(entry.path().string(), filter)) return registered(entry.path().string());
    }
  }
  return nullptr;
}

/// Returns a filter from a plugin, or h5io's own LZF; null if there is none. A failed search is not remembered, since
/// folders may be added at any time.
const H5Z_class2_t* plugin_of(int filter) {
  if (filter < first_of_others) return nullptr;
  static std::map<int, const H5Z_class2_t*> known;
  const auto found = known.find(filter);
  if (found != known.end()) return found->second;
  const H5Z_class2_t* plugin = look_for(filter);
  if (plugin == nullptr && filter == lzf_id && H5Zregister(&lzf_filter) >= 0) plugin = &lzf_filter;
  if (plugin != nullptr) known[filter] = plugin;
  return plugin;
}

}  // namespace

bool is_available(int filter) {
  if (plugin_of(filter) != nullptr) return true;
  forget_missing_folders(folders());
  return H5Zfilter_avail(filter) > 0;
}

std::string remedy_for(int filter) {
  // The filters in hdf5plugin 7.1.
  constexpr std::array in_hdf5plugin{307, 32001, 32004, 32008, 32013, 32015, 32017, 32018, 32024, 32026, 32028, 32033};
  if (filter < first_of_others) return "expected an HDF5 library that was built with it";
  const std::string folder = "name the folder of its plugin in HDF5_PLUGIN_PATH";
  const bool known = std::find(in_hdf5plugin.begin(), in_hdf5plugin.end(), filter) != in_hdf5plugin.end();
  return known ? folder + ", or install the Python package hdf5plugin, which has it" : folder;
}

H5Z_func_t plugin_function(int filter) {
  const bool sound = std::find(sound_on_threads.begin(), sound_on_threads.end(), filter) != sound_on_threads.end();
  const H5Z_class2_t* const plugin = sound ? plugin_of(filter) : nullptr;
  return plugin == nullptr ? nullptr : plugin->filter;
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
