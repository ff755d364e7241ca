/// The time steps of a configuration: in each a group with eight datasets, or one, is written or read.
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "asked.hpp"
#include "clock.hpp"
#include "io_queue.hpp"
#include "particles.hpp"
#include "selection.hpp"

namespace h5bench {

/// Seconds of this rank, as h5bench takes them.
struct Times {
  double open = 0, raw = 0, metadata = 0, flush = 0, close = 0;
  double observed = 0;  ///< h5bench's: of a read, without opening the file
  double wall = 0;      ///< from before the file is opened until all ranks have closed it
  double sync = 0;      ///< until what was written is on the device; 0 unless that is asked for
};

/// Which values of this program's a file has: those of value_of() for `all` particles, of the step with a group's
/// number and `later`.
struct Values {
  std::uint64_t all = 0;
  int later = 0;
};

class Steps {
 public:
  /// `known`: the file that is read has the values that this program writes.
  Steps(const Asked& asked, const Selection& selection, const Values& values, bool known);

  /// Does all steps in an open file, with the emulated computation between them, and adds to the times.
  void run(hid_t file, Clock& clock, Times& times);
  /// The first value of a read that is not right, or "". `file`: opened by this rank alone.
  ///
  /// Where values are not known, they are read again for that.
  [[nodiscard]] std::string wrong(hid_t file) const;

 private:
  struct Step {
    Group group;
    std::vector<Dataset> datasets;
    std::shared_ptr<Particles> particles;
    std::uint64_t opened = 0, moved = 0, closed = 0;  ///< operations after which it is
    bool closing = false, waited = false;
  };

  void begin(Step& step, int number, hid_t file, Clock& clock, Times& times);
  void move(Step& step, Clock& clock, Times& times);
  void close(Step& step, Clock& clock, Times& times);
  void wait(Step& step, Clock& clock, Times& times);
  [[nodiscard]] Dataset opened_dataset(hid_t group, std::size_t number) const;
  void grow(hid_t dataset, const std::string& name) const;
  [[nodiscard]] std::string wrong_step(int number, hid_t file) const;

  const Asked& asked_;
  const Selection& selection_;
  Values values_;
  bool known_, together_;  ///< all steps are in memory together
  Space in_file_, in_memory_;
  Properties creation_, access_, transfer_;
  MemoryTypes types_;
  std::vector<Step> steps_;
  std::uint64_t used_ = 0;  ///< bytes of steps that nobody has waited for
  std::string wrong_;       ///< of steps that shared their memory with later ones
  IoQueue queue_;           ///< ends before what its operations use
};

/// What this program has written everywhere in a file of `all` particles; none: others have written there.
std::optional<Values> known_values(hid_t file, std::uint64_t all);
/// Say so, or say no more.
void mark_known_values(const std::string& path, const std::optional<Values>& values);

/// The first value of a step that is not right in an array's rows up to `rows`, or "". Read by this rank alone.
std::string wrong_rows(const Asked& asked, const Extent& whole, std::uint64_t first, std::uint64_t rows,
                       const Values& values, hid_t file, int step);

/// What a step has in a file, read by this rank alone.
Particles read_alone(const Asked& asked, const Selection& selection, hid_t file, int step);

}  // namespace h5bench
