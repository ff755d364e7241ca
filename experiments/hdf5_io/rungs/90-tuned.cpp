/// Ranks read by the library with everything that can be set: `rooftop tune hdf5_io/90-tuned` finds the values.
/// Changed from the rungs below: their properties together, by a case's tunables, and hints for MPI-IO. A case without
/// tunables is read as by the independent rung. Limit attacked: whichever the configuration found attacks. Evidence:
/// docs/results/h5-tuning.md has what each property gains.
// needs: rooftop_h5io, HDF5, MPI
#include <algorithm>
#include <bit>
#include <cmath>

#include "bitshuffle.hpp"
#include "shared_reading.hpp"

namespace {

using hdf5_io::Layout;
using hdf5_io::Opening;
using hdf5_io::Problem;
using hdf5_io::Tunables;

bool by_plugin(const Tunables& t) { return t.compression.starts_with("bitshuffle"); }

/// Chunks are nearly squares, of rows that are a power of two: 512 x 256 of 128 Ki elements, as in the contest.
Layout layout_for(const Problem& problem) {
  const auto& p = problem.parameters;
  const Tunables& t = problem.tunables;
  if (p.chunked()) throw rooftop::Skip("the case's own file has chunks: those of the tunables are to be tried instead");
  if (by_plugin(t)) hdf5_io::require_bitshuffle();
  Layout layout = t.pattern == "blocks" ? blocks_of(p) : layout_of(p);
  if (t.chunk > 0) {
    const auto side = static_cast<std::uint64_t>(std::ceil(std::sqrt(static_cast<double>(t.chunk))));
    layout.chunk_rows = std::min(p.rows, static_cast<std::int64_t>(std::bit_ceil(side)));
    const std::int64_t rest = std::max<std::int64_t>(1, t.chunk / layout.chunk_rows);
    layout.chunk_columns = std::min(layout.columns, rest);
    layout.filter = t.compression;
    layout.level = t.level;
  }
  layout.alignment = t.alignment;
  layout.latest = t.metadata == "latest";
  return layout;
}

/// Hints as MPI-IO takes them, freed in the end.
class Hints {
 public:
  explicit Hints(const Tunables& t) {
    MPI_Info_create(&info_);
    set("cb_nodes", t.cb_nodes > 0 ? std::to_string(t.cb_nodes) : "default");
    set("cb_buffer_size", t.cb_buffer_kib > 0 ? std::to_string(t.cb_buffer_kib << 10) : "default");
    set("romio_ds_read", t.romio_ds_read);
    set("romio_cb_read", t.romio_cb_read);
  }
  Hints(const Hints&) = delete;
  Hints& operator=(const Hints&) = delete;
  ~Hints() { MPI_Info_free(&info_); }
  [[nodiscard]] Opening opening(const Tunables& t) const {
    return {static_cast<std::size_t>(t.cache_kib) << 10U, static_cast<std::size_t>(t.cache_slots),
            t.metadata == "collective", info_};
  }

 private:
  void set(const char* key, const std::string& value) {
    if (value != "default") MPI_Info_set(info_, key, value.c_str());
  }

  MPI_Info info_ = MPI_INFO_NULL;
};

class Tuned : public hdf5_io::SharedReading {
 public:
  explicit Tuned(const Problem& problem)
      : SharedReading(problem, layout_for(problem),
                      by_plugin(problem.tunables) ? hdf5_io::write_bitshuffled : hdf5_io::write_file,
                      Hints(problem.tunables).opening(problem.tunables), problem.tunables.mode == "collective") {}
};

}  // namespace

ROOFTOP_RUNG(hdf5_io::Problem, Tuned);
