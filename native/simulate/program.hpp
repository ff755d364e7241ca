/// What each rank does, as a recording tells it: JSON lines, described in src/rooftop/simulate/recording.py.
#pragma once

#include <cstdint>
#include <iosfwd>
#include <string>
#include <vector>

#include "team.hpp"

namespace rooftop::simulate {

enum class Collective {
  barrier,
  bcast,
  reduce,
  allreduce,
  allgather,
  reduce_scatter,
  scan,
  alltoall,
  gather,
  scatter,
  gatherv,
  scatterv
};

struct Operation {
  enum class Kind { work, send, receive, wait, collective, loop } kind = Kind::work;
  // work: the longest of the three, on one team of threads
  double seconds = 0, flops = 0, bytes = 0;
  std::string of;      ///< the kind of flops
  double threads = 1;  ///< cores, where hardware threads share them
  double polls = 0;    ///< calls of MPI_Test and MPI_Iprobe in it
  Schedule schedule = Schedule::even;
  double pieces = 0, fetch_s = 0;  ///< see team.hpp; the team's first thread waits for `requests` before it joins
  // messages: `bytes`, and
  int partner = -1;  ///< a rank of all
  std::uint64_t tag = 0;
  // what is not waited for at once has a number
  bool blocking = true;
  std::vector<int> requests;
  // collective calls: `bytes` of a block, or of the vector
  Collective collective = Collective::barrier;
  int group = 0, root = 0;
  std::vector<double> counts;  ///< bytes to each member, where they differ
  // loop
  std::int64_t times = 0;
  std::vector<Operation> body;
};

struct Recording {
  std::vector<std::vector<int>> groups;          ///< ranks of each; the first has all
  std::vector<std::vector<Operation>> programs;  ///< each once
  std::vector<int> program_of;                   ///< by rank
};

/// Reads a recording. Throws RequirementFailed naming the line.
Recording read_recording(std::istream& lines);

Collective collective_of(const std::string& name);

}  // namespace rooftop::simulate
