/// Built for a contract that is no more.
#include <rooftop/rung.hpp>

extern "C" ROOFTOP_VISIBLE const rooftop::Module rooftop_module;
const rooftop::Module rooftop_module = {0, "fake::Problem", nullptr};
