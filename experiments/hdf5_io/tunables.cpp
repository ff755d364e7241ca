#include <algorithm>
#include <initializer_list>
#include <nlohmann/json.hpp>
#include <rooftop/read_parameters.hpp>
#include <sstream>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include "data.hpp"

namespace hdf5_io {
namespace {

using Texts = std::initializer_list<const char*>;

void require_one_of(const char* name, const std::string& value, Texts expected) {
  if (std::find(expected.begin(), expected.end(), value) != expected.end()) return;
  std::ostringstream said;
  said << "'" << name << "' is \"" << value << "\": expected one of ";
  const char* before = "";
  for (const char* const one : expected) said << std::exchange(before, ", ") << '"' << one << '"';
  throw std::invalid_argument(said.str());
}

void require(bool sound, const std::string& message) {
  if (!sound) throw std::invalid_argument(message);
}

void check(const Tunables& t) {
  require_one_of("mode", t.mode, {"independent", "collective"});
  require_one_of("pattern", t.pattern, {"array", "blocks"});
  require_one_of("compression", t.compression,
                 {"none", "deflate", "shuffle_deflate", "bitshuffle_lz4", "bitshuffle_zstd"});
  require_one_of("metadata", t.metadata, {"default", "collective", "latest"});
  require_one_of("romio_ds_read", t.romio_ds_read, {"default", "enable", "disable", "automatic"});
  require_one_of("romio_cb_read", t.romio_cb_read, {"default", "enable", "disable", "automatic"});
  require(t.chunk > 0 || t.compression == "none",
          "'compression' is \"" + t.compression + "\" and 'chunk' 0: expected chunks with it");
  const bool by_plugin = t.compression.starts_with("bitshuffle");
  require(!by_plugin || (t.alignment == 1 && t.metadata != "latest"),
          "'compression' is \"" + t.compression + "\": expected an 'alignment' of 1 and no 'latest' metadata with it");
}

}  // namespace

nlohmann::json take_tunables(const nlohmann::json& parameters, Tunables& tunables) {
  std::vector<rooftop::ParameterValue> defaults;
  for (const auto& field : tunable_fields) defaults.push_back(field.read(&tunables));
  nlohmann::json others = parameters, own = rooftop::to_json(tunable_fields, defaults);
  for (const auto& field : tunable_fields) {
    if (const auto given = others.find(field.name); given != others.end()) {
      own[field.name] = *given;
      others.erase(given);
    }
  }
  const auto values = rooftop::read_parameters(tunable_fields, own);
  for (std::size_t i = 0; i < values.size(); ++i) tunable_fields[i].write(&tunables, values[i]);
  check(tunables);
  return others;
}

}  // namespace hdf5_io
