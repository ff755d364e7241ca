#include "hdf5_objects.hpp"

namespace h5bench {

namespace {

herr_t keep(unsigned, const H5E_error2_t* error, void* kept) {
  auto& said = *static_cast<std::string*>(kept);
  if (error->desc != nullptr) said = error->desc;
  return 0;
}

}  // namespace

std::string reason() {
  std::string said = "HDF5 gives no reason";
  H5Ewalk2(H5E_DEFAULT, H5E_WALK_DOWNWARD, keep, &said);  // the last is the innermost
  return said;
}

}  // namespace h5bench
