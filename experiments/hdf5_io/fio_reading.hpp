/// The whole file read by fio, a program of its own, which reports its time: the limit of cold reads in the same
/// minute.
#pragma once

#include <fcntl.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cstring>
#include <sstream>
#include <string>
#include <vector>

#include "library_reading.hpp"

namespace hdf5_io {

/// What a program prints. Throws rooftop::Skip where it cannot be started.
inline std::string output_of(const std::vector<std::string>& words) {
  std::array<int, 2> ends{};
  rooftop::require(pipe2(ends.data(), O_CLOEXEC) == 0, "no pipe to ", words[0]);
  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  posix_spawn_file_actions_addopen(&actions, STDIN_FILENO, "/dev/null", O_RDONLY, 0);
  posix_spawn_file_actions_adddup2(&actions, ends[1], STDOUT_FILENO);
  std::vector<char*> arguments;
  for (const std::string& word : words) arguments.push_back(const_cast<char*>(word.c_str()));
  arguments.push_back(nullptr);
  pid_t child = 0;
  const int error = posix_spawnp(&child, arguments[0], &actions, nullptr, arguments.data(), environ);
  posix_spawn_file_actions_destroy(&actions);
  close(ends[1]);
  std::string output;
  std::array<char, 4096> part{};
  for (ssize_t got = 1; error == 0 && got > 0;) {
    got = read(ends[0], part.data(), part.size());
    if (got > 0) output.append(part.data(), static_cast<std::size_t>(got));
  }
  close(ends[0]);
  if (error != 0)
    throw rooftop::Skip(words[0] + " is not here (" + std::strerror(error) + "): install the package fio");
  int status = 0;
  waitpid(child, &status, 0);
  rooftop::require(WIFEXITED(status) && WEXITSTATUS(status) == 0, words[0], " failed: ", output);
  return output;
}

/// fio throws away what it reads: finish() reads it once more, untimed, to be verified.
class FioReading : public LibraryReading {
 public:
  /// `how`: fio's options beside those of the file and its parts, one for each thread.
  FioReading(const Problem& problem, const std::vector<std::string>& how)
      : LibraryReading(problem, std::size_t{64} << 10), bytes_(4 * problem.parameters.selected()) {
    const Parameters& p = problem.parameters;
    constexpr std::int64_t least_bytes = std::int64_t{16} << 20;
    if (p.cold == 0) throw rooftop::Skip("fio is the limit of cold reads");
    if (p.chunked() || p.block != p.columns) throw rooftop::Skip("fio reads all of the file as it lies");
    if (bytes_ < least_bytes) throw rooftop::Skip("fio tells whole milliseconds, and this takes a few");
    output_of({"fio", "--version"});
    const std::string part = std::to_string(bytes_ / problem.threads / block_bytes * block_bytes);
    words_ = {"fio",
              "--name=read",
              "--filename=" + escaped(problem.file),
              "--readonly",
              "--rw=read",
              "--bs=" + std::to_string(block_bytes),
              "--size=" + part,
              "--offset_increment=" + part,
              "--numjobs=" + std::to_string(problem.threads),
              "--thread",
              "--group_reporting",
              "--output-format=terse",
              "--terse-version=3"};
    words_.insert(words_.end(), how.begin(), how.end());
  }

  void run() override {
    // 3;VERSION;NAME;GROUP;ERROR;KiB read;KiB/s;calls/s;ms;…
    std::istringstream told(output_of(words_));
    std::vector<std::string> fields;
    for (std::string field; std::getline(told, field, ';');) fields.push_back(field);
    rooftop::require(fields.size() > 8 && fields[4] == "0", "fio tells no time: ", told.str());
    const double read_bytes = 1024 * std::stod(fields[5]), seconds = 1e-3 * std::stod(fields[8]);
    rooftop::require(read_bytes > 0 && seconds > 0, "fio has read nothing: ", told.str());
    // Parts are whole blocks, which may leave some of the file out: the time of all of it.
    reported_ns_ = static_cast<std::int64_t>(1e9 * seconds * static_cast<double>(bytes_) / read_bytes);
  }
  [[nodiscard]] std::int64_t reported_ns() const override { return reported_ns_; }
  void finish() override { LibraryReading::run(); }
  [[nodiscard]] rooftop::Work work() const override {
    rooftop::Work work = ReadingRung::work();
    work.device_calls = static_cast<double>(bytes_) / static_cast<double>(block_bytes);
    return work;
  }

 private:
  static constexpr std::int64_t block_bytes = std::int64_t{1} << 20;

  /// A colon would end the file's name.
  static std::string escaped(const std::string& path) {
    std::string name;
    for (const char letter : path) name += letter == ':' ? std::string("\\:") : std::string(1, letter);
    return name;
  }

  std::int64_t bytes_;
  std::vector<std::string> words_;
  std::int64_t reported_ns_ = 0;
};

}  // namespace hdf5_io
