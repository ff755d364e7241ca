#include "asked.hpp"

#include <functional>
#include <map>
#include <sstream>
#include <stdexcept>

namespace h5bench {

namespace {

std::uint64_t number(const std::string& text) { return std::stoull(text); }
std::vector<std::uint64_t> numbers(const std::string& text) {
  std::vector<std::uint64_t> found;
  std::istringstream words(text);
  for (std::string word; std::getline(words, word, ',');) found.push_back(number(word));
  return found;
}
bool flag(const std::string& text) { return number(text) != 0; }

}  // namespace

Asked asked_by(const std::vector<std::string>& words) {
  Asked asked;
  const std::map<std::string, std::function<void(const std::string&)>> meanings{
      {"file", [&](const std::string& text) { asked.file = text; }},
      {"write", [&](const std::string& text) { asked.write = flag(text); }},
      {"existing", [&](const std::string& text) { asked.existing = flag(text); }},
      {"append", [&](const std::string& text) { asked.append = flag(text); }},
      {"particles_in_memory", [&](const std::string& text) { asked.particles_in_memory = flag(text); }},
      {"particles_in_file", [&](const std::string& text) { asked.particles_in_file = flag(text); }},
      {"part", [&](const std::string& text) { asked.part = static_cast<Part>(number(text)); }},
      {"dimensions", [&](const std::string& text) { asked.dimensions = static_cast<int>(number(text)); }},
      {"extent_1", [&](const std::string& text) { asked.extent[0] = number(text); }},
      {"extent_2", [&](const std::string& text) { asked.extent[1] = number(text); }},
      {"extent_3", [&](const std::string& text) { asked.extent[2] = number(text); }},
      {"shares", [&](const std::string& text) { asked.shares = numbers(text); }},
      {"elements", [&](const std::string& text) { asked.elements = number(text); }},
      {"count", [&](const std::string& text) { asked.count = number(text); }},
      {"stride_1", [&](const std::string& text) { asked.stride[0] = number(text); }},
      {"stride_2", [&](const std::string& text) { asked.stride[1] = number(text); }},
      {"block_1", [&](const std::string& text) { asked.block[0] = number(text); }},
      {"block_2", [&](const std::string& text) { asked.block[1] = number(text); }},
      {"steps", [&](const std::string& text) { asked.steps = static_cast<int>(number(text)); }},
      {"delay", [&](const std::string& text) { asked.delay = static_cast<int>(number(text)); }},
      {"compute_us", [&](const std::string& text) { asked.compute_us = number(text); }},
      {"collective_data", [&](const std::string& text) { asked.collective_data = flag(text); }},
      {"collective_metadata", [&](const std::string& text) { asked.collective_metadata = flag(text); }},
      {"file_per_rank", [&](const std::string& text) { asked.file_per_rank = flag(text); }},
      {"asynchronous", [&](const std::string& text) { asked.asynchronous = flag(text); }},
      {"chunk_1", [&](const std::string& text) { asked.chunk[0] = number(text); }},
      {"chunk_2", [&](const std::string& text) { asked.chunk[1] = number(text); }},
      {"chunk_3", [&](const std::string& text) { asked.chunk[2] = number(text); }},
      {"deflate", [&](const std::string& text) { asked.deflate = flag(text); }},
      {"unlimited", [&](const std::string& text) { asked.unlimited = flag(text); }},
      {"alignment_threshold", [&](const std::string& text) { asked.alignment_threshold = number(text); }},
      {"alignment", [&](const std::string& text) { asked.alignment = number(text); }},
      {"memory_limit", [&](const std::string& text) { asked.memory_limit = number(text); }},
      {"cold", [&](const std::string& text) { asked.cold = flag(text); }},
  };
  for (const std::string& word : words) {
    const std::size_t at = word.find('=');
    const auto found = meanings.find(word.substr(0, at));
    if (at == std::string::npos || found == meanings.end()) {
      throw std::invalid_argument("a word is '" + word + "', expected NAME=VALUE of asked.hpp");
    }
    found->second(word.substr(at + 1));
  }
  return asked;
}

}  // namespace h5bench
