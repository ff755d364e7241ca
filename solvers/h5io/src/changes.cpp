#include "changes.hpp"

#include <map>
#include <utility>

namespace rooftop::h5io::internal {
namespace {

using Count = std::atomic<std::uint64_t>;
using Identity = std::pair<std::uint64_t, std::uint64_t>;

/// Under the library's lock. A file that is open keeps its identity.
std::shared_ptr<Count> count_of(const Identity& identity) {
  // Never destroyed: threads may still close files when the process ends.
  static auto& counts = *new std::map<Identity, std::weak_ptr<Count>>;
  std::erase_if(counts, [](const auto& one) { return one.second.expired(); });
  std::weak_ptr<Count>& known = counts[identity];
  std::shared_ptr<Count> count = known.lock();
  if (count == nullptr) known = count = std::make_shared<Count>(0);
  return count;
}

}  // namespace

Changes::Changes(const Source& source, bool writes) : count_(count_of(source.identity())), writes_(writes) {}

}  // namespace rooftop::h5io::internal
