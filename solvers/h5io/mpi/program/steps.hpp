/// The time steps of a benchmark: each writes or reads a group of eight datasets or one.
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

/// Seconds of this rank, by h5bench's definitions.
struct Times {
  double open = 0, raw = 0, metadata = 0, flush = 0, close = 0;
  double observed = 0;  ///< as h5bench defines it: of a read, without opening the file
  double wall = 0;      ///< from before opening the file until all ranks have closed it
  double sync = 0;      ///< until written data is on the device; 0 unless requested
};

/// Which values a file holds: those of value_of() for `all` particles, at the step that is the group's number plus
/// `later`.
struct Values {
  std::uint64_t all = 0;
  int later = 0;
};

class Steps {
 public:
  /// `known`: the file holds the values that this program writes.
  Steps(const Asked& asked, const Selection& selection, const Values& values, bool known);

  /// Runs all steps on an open file, with emulated computation between them, and adds to `times`.
  void run(hid_t file, Clock& clock, Times& times);
  /// Returns the first wrong value of a read, or "". `file`: opened by this rank alone. Values that are not known are
  /// compared with those of a second read.
  [[nodiscard]] std::string wrong(hid_t file) const;

 private:
  struct Step {
    Group group;
    std::vector<Dataset> datasets;
    std::shared_ptr<Particles> particles;
    std::uint64_t opened = 0, moved = 0, closed = 0;  ///< number of operations after which that is done
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
  bool known_, together_;  ///< each step has memory of its own
  Space in_file_, in_memory_;
  Properties creation_, access_, transfer_;
  MemoryTypes types_;
  std::vector<Step> steps_;
  std::uint64_t used_ = 0;  ///< bytes of steps in progress
  std::string wrong_;       ///< the first wrong value of steps that share memory with later ones
  IoQueue queue_;           ///< last member: destroyed before what its operations use
};

/// Returns the values that this program has written everywhere in a file of `all` particles; nothing if the file has
/// others.
std::optional<Values> known_values(hid_t file, std::uint64_t all);
/// Records in a file which values it holds, or removes that record.
void mark_known_values(const std::string& path, const std::optional<Values>& values);

/// Returns the first wrong value of a step in rows `first` to `rows - 1` of an array, or "". Not collective.
std::string wrong_rows(const Asked& asked, const Extent& whole, std::uint64_t first, std::uint64_t rows,
                       const Values& values, hid_t file, int step);

/// Reads a step from a file. Not collective.
Particles read_alone(const Asked& asked, const Selection& selection, hid_t file, int step);

}  // namespace h5bench
