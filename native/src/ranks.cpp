#include <rooftop/ranks.hpp>
#include <stdexcept>

namespace rooftop {

void Alone::abandon(const std::string& why) { throw std::runtime_error(why); }

}  // namespace rooftop
