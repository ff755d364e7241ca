// Any bytes through the readers of short texts: a module's file name, and the kernel's lists of processors.
#include <cstdlib>
#include <rooftop/isa.hpp>
#include <stdexcept>
#include <string>
#include <string_view>

#include "../../probes/processors.hpp"

namespace {

void require(bool kept) {
  if (!kept) std::abort();
}

void read_name(const std::string& text) {
  if (text.find('\0') != std::string::npos) return;  // no file has such a name
  rooftop::ModuleName name;
  try {
    name = rooftop::parse_module_name(text);
  } catch (const std::invalid_argument&) {
    return;
  }
  require(!name.name.empty() && name.name.find('/') == std::string::npos);
  require(text.ends_with(name.name + (name.isa ? "." + *name.isa : "") + ".so"));
  if (!name.isa) return;
  try {
    (void)rooftop::missing_feature(*name.isa);
  } catch (const std::invalid_argument& error) {
    require(std::string_view(error.what()).find("expected") != std::string_view::npos);
  }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string text(reinterpret_cast<const char*>(data), size);
  read_name(text);
  for (const int processor : probe::parse_cpu_list(text)) {
    require(processor >= 0 && processor < probe::most_processors);
  }
  return 0;
}
