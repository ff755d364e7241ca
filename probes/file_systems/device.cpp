/// What a file system gives: read, written, and read by 4 KiB at random, from the system's cache and from the device,
/// by one thread and by all.
///
/// An unnamed file of at most 256 MiB in the folder that is given, laid out beforehand. The device is asked with the
/// cache dropped, and past the cache by O_DIRECT; what stays in the cache all the same is skipped, as everything is on
/// a file system that lies in memory. Reads are calls of pread, one at a time for each thread, into a buffer that was
/// touched before. Every figure is taken once in each of several looks, since a device changes from second to second.
#include <algorithm>
#include <cstdlib>
#include <exception>
#include <iostream>
#include <string>
#include <vector>

#include "../memory_limit.hpp"
#include "page_cache.hpp"
#include "rooftop/probe_lines.hpp"
#include "transfer.hpp"

namespace {

constexpr std::uint64_t mib = 1u << 20;
constexpr std::size_t in_order_bytes = mib;
constexpr std::size_t random_bytes = 4096;
constexpr std::uint64_t least_bytes = 16 * mib;  ///< a smaller file is no evidence
constexpr double dropped = 0.05;                 ///< of the pages may stay, or the cache has not been dropped
constexpr double kept = 0.99;                    ///< of the pages have to stay, or reads are not cached

/// How much is measured, and for how long at most.
struct Pace {
  std::uint64_t file_bytes;
  int looks;
  double figure_s;  ///< one figure of one look
  double all_s;     ///< no further figure after this
};

Pace pace_of(const rooftop::ProbeOptions& options) {
  if (options.brief) return {128 * mib, 2, 0.15, 4};
  if (options.quick) return {128 * mib, 2, 0.12, 12};
  return {256 * mib, 3, 0.25, 40};
}

std::string percent(double part) { return std::to_string(static_cast<int>(100 * part + 0.5)) + " %"; }

class Device {
 public:
  Device(const std::string& folder, const rooftop::ProbeOptions& options)
      : file_(folder), brief_(options.brief), pace_(pace_of(options)), direct_(file_.takes_direct()) {}

  void measure(int all_threads) {
    const std::uint64_t room = std::min(probe::free_bytes(file_), probe::usable_memory_bytes()) / 4;
    if (room < least_bytes) {
      lines_.skip("a quarter of the free space and of the usable memory is " + std::to_string(room / mib) +
                  " MiB; expected at least " + std::to_string(least_bytes / mib));
      return;
    }
    bytes_ = probe::lay_out(file_, std::min(pace_.file_bytes, room), pace_.all_s / 4);
    if (bytes_ < least_bytes) {
      lines_.skip("only " + std::to_string(bytes_ / mib) + " MiB could be written in the time for that; expected " +
                  std::to_string(least_bytes / mib));
      return;
    }
    if (!direct_) lines_.skip("this file system does not take O_DIRECT: the cache cannot be bypassed");
    const bool device = drops();
    for (int look = 0; look < pace_.looks; ++look) {
      for (const int threads : probe::team_sizes(all_threads, brief_)) {
        if (!brief_) from_cache(threads);
        if (device) from_device(threads);
        if (device && !brief_) to_device(threads);
      }
    }
  }

 private:
  using Fields = rooftop::ProbeFields;

  [[nodiscard]] bool late() const { return probe::seconds_between(start_, probe::Clock::now()) > pace_.all_s; }

  [[nodiscard]] probe::Transfer transfer(bool random) const {
    return {.random = random,
            .bytes = bytes_,
            .block_bytes = random ? random_bytes : in_order_bytes,
            .limit_s = pace_.figure_s};
  }

  void take(const std::string& metric, const probe::Transfer& what, const std::string& level, int threads,
            const Fields& more = {}) {
    if (late()) {
      lines_.skip("stopped after " + std::to_string(static_cast<int>(pace_.all_s)) + " s: this device is slow");
      return;
    }
    const auto done = probe::run_transfer(file_, what, cpus_, threads);
    Fields fields = {{"level", level}, {"bytes", what.bytes}, {"block_bytes", what.block_bytes}};
    fields.insert(fields.end(), more.begin(), more.end());
    const double amount = static_cast<double>(what.random ? done.calls : done.bytes);
    lines_.figure(metric, amount / done.elapsed_s, what.random ? "reads/s" : "byte/s", threads, fields);
  }

  /// Drops the cache. Where pages stay, as in a file system that lies in memory, no figure would be a device's.
  bool drops() {
    // A campaign is not to drop what others have in the cache.
    dropped_by_ = probe::drop_cache(file_, !brief_);
    const double part = probe::cached_part(file_, bytes_);
    if (part > dropped) {
      lines_.skip(percent(part) + " of the file stay in the cache after " + dropped_by_ + ": nothing is cold here");
    }
    return part <= dropped;
  }

  void from_cache(int threads) {
    probe::Transfer write = transfer(false);
    write.writes = true;
    write.bytes = std::min(bytes_, 64 * mib);  // more would have to be waited for until it is on the device
    take("file_write", write, "page cache", threads);
    probe::Transfer fill = transfer(false);
    fill.limit_s = pace_.all_s / 4;
    if (!late()) probe::run_transfer(file_, fill, cpus_, threads);
    if (const double part = probe::cached_part(file_, bytes_); part < kept) {
      lines_.skip("the cache keeps " + percent(part) + " of the file: there are no figures of cached reads");
      return;
    }
    for (const bool random : {false, true}) {
      probe::Transfer read = transfer(random);
      read.repeated = true;  // once takes some milliseconds, of which the threads' start is a part
      take(random ? "file_random_read" : "file_read", read, "page cache", threads);
    }
  }

  void from_device(int threads) {
    for (const bool random : {false, true}) {
      const std::string metric = random ? "file_random_read" : "file_read";
      probe::Transfer read = transfer(random);
      if (drops()) take(metric, read, "device", threads, {{"cache_dropped_by", dropped_by_}});
      read.direct = true;
      if (direct_) take(metric + "_direct", read, "device", threads);
    }
  }

  void to_device(int threads) {
    probe::Transfer write = transfer(false);
    write.writes = write.kept = true;
    take("file_write", write, "device", threads, {{"kept_by", "fdatasync"}});
    write.direct = true;
    if (direct_) take("file_write_direct", write, "device", threads, {{"kept_by", "fdatasync"}});
  }

  rooftop::ProbeLines lines_{"device"};
  std::vector<int> cpus_ = probe::usable_processors();
  probe::Clock::time_point start_ = probe::Clock::now();
  probe::ScratchFile file_;
  bool brief_;
  Pace pace_;
  bool direct_;
  std::uint64_t bytes_ = 0;
  std::string dropped_by_;
};

struct Options {
  std::string folder;
  rooftop::ProbeOptions all;  ///< those that every probe takes
};

/// Leaves with exit code 2 and one line on standard error where the options make no sense.
Options parse(int argc, char** argv) {
  Options options;
  std::vector<char*> others = {argv[0]};
  for (int i = 1; i < argc; ++i) {
    if (argv[i] != std::string("--folder")) {
      others.push_back(argv[i]);
    } else if (i + 1 < argc) {
      options.folder = argv[++i];
    }
  }
  const auto processors = static_cast<int>(probe::usable_processors().size());
  options.all = rooftop::parse_probe_options(static_cast<int>(others.size()), others.data(), processors);
  if (options.folder.empty()) {
    std::cerr << argv[0] << ": no folder is given; expected --folder PATH [--quick] [--brief] [--threads N]\n";
    std::exit(2);
  }
  return options;
}

}  // namespace

int main(int argc, char** argv) {
  const Options options = parse(argc, argv);
  try {
    Device(options.folder, options.all).measure(options.all.threads);
  } catch (const std::exception& error) {
    std::cerr << argv[0] << ": " << error.what() << "; expected a folder that can be written, with free space\n";
    return 1;
  }
}
