#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cstdlib>
#include <filesystem>
#include <limits>
#include <nlohmann/json.hpp>
#include <rooftop/read_parameters.hpp>
#include <stdexcept>
#include <string>

#include "data.hpp"
#include "layout.hpp"

namespace hdf5_io {
namespace {

constexpr std::array filters{"none", "deflate", "shuffle_deflate"};

Parameters read(const nlohmann::json& given) {
  Parameters parameters;
  const auto values = rooftop::read_parameters(fields, given);
  for (std::size_t i = 0; i < values.size(); ++i) fields[i].write(&parameters, values[i]);
  return parameters;
}

void require(bool sound, const std::string& message) {
  if (!sound) throw std::invalid_argument(message);
}

void check(const Parameters& p) {
  require(p.block <= p.columns,
          "'block' is " + std::to_string(p.block) + ": expected at most the " + std::to_string(p.columns) + " columns");
  require(p.stride >= p.block,
          "'stride' is " + std::to_string(p.stride) + ": expected at least the block of " + std::to_string(p.block));
  require(p.rows <= static_cast<std::int64_t>(most_elements) / p.columns, "the array has " + std::to_string(p.rows) +
                                                                              " x " + std::to_string(p.columns) +
                                                                              " elements: expected at most 10^12");
  require((p.chunk_rows > 0) == (p.chunk_columns > 0), "'chunk_rows' is " + std::to_string(p.chunk_rows) +
                                                           " and 'chunk_columns' " + std::to_string(p.chunk_columns) +
                                                           ": expected both above 0, or both 0");
  require(p.chunk_rows <= p.rows && p.chunk_columns <= p.columns, "a chunk is larger than the array");
  require(std::find(filters.begin(), filters.end(), p.filter) != filters.end(),
          "'filter' is \"" + p.filter + "\": expected \"none\", \"deflate\" or \"shuffle_deflate\"");
  require(p.chunked() || p.filter == "none", "'filter' is \"" + p.filter + "\": expected chunks with it");
}

/// Where files are written: in a folder that ROOFTOP_HDF5_IO_FOLDER names, or in one of the user's own.
std::string files_folder() {
  const char* const asked = std::getenv("ROOFTOP_HDF5_IO_FOLDER");
  if (asked != nullptr) {
    std::filesystem::create_directories(asked);
    return asked;
  }
  const std::string folder = std::filesystem::temp_directory_path() / "rooftop-hdf5-io";
  // Others may have made it before: their links would lead to files of ours.
  struct stat found {};
  const bool made = mkdir(folder.c_str(), 0700) == 0;
  require(made || (lstat(folder.c_str(), &found) == 0 && S_ISDIR(found.st_mode) && found.st_uid == geteuid()),
          folder + " is no folder of this user: set ROOFTOP_HDF5_IO_FOLDER to another one");
  return folder;
}

}  // namespace

void Reading::set_up(const nlohmann::json& parameters, std::uint64_t /*seed*/, int threads) {
  Tunables tunables;
  const Parameters p = read(take_tunables(parameters, tunables));
  check(p);
  out_ = rooftop::AlignedArray<float>(rank_ == 0 ? static_cast<std::size_t>(p.selected()) : 0);
  problem_ = {p, threads, path_of(files_folder(), p, layout_of(p)), out_.data(), rank_, ranks_, tunables};
}

void Reading::poison() { std::ranges::fill(out_, std::numeric_limits<float>::quiet_NaN()); }

}  // namespace hdf5_io

namespace rooftop {
std::unique_ptr<Experiment> make_experiment() { return std::make_unique<hdf5_io::Reading>(); }
std::string_view experiment_name() { return "hdf5_io"; }
}  // namespace rooftop
