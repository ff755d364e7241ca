#include "plain_rate.hpp"

#include <fcntl.h>
#include <mpi.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <system_error>
#include <vector>

namespace h5bench {

namespace {

constexpr std::uint64_t most_bytes = std::uint64_t{512} << 20U;  // of a rank
constexpr std::size_t piece_bytes = std::size_t{4} << 20U;

[[noreturn]] void fail(const std::string& path) { throw std::system_error(errno, std::generic_category(), path); }

class Descriptor {
 public:
  Descriptor(const std::string& path, int flags) : number_(::open(path.c_str(), flags | O_CLOEXEC, 0600)) {
    if (number_ < 0) fail(path);
  }
  Descriptor(const Descriptor&) = delete;
  Descriptor& operator=(const Descriptor&) = delete;
  ~Descriptor() { ::close(number_); }
  operator int() const { return number_; }  // NOLINT(google-explicit-constructor): system calls take int

 private:
  int number_;
};

/// Calls `move(bytes, offset)` for each piece. It returns the number of bytes moved.
template <class Move>
void each_piece(const std::string& path, std::uint64_t first, std::uint64_t bytes, const Move& move) {
  for (std::uint64_t done = 0; done < bytes;) {
    const auto size = static_cast<std::size_t>(std::min<std::uint64_t>(piece_bytes, bytes - done));
    const ssize_t moved = move(size, static_cast<off_t>(first + done));
    if (moved < 0 && errno == EINTR) continue;
    if (moved < 0) fail(path);
    if (moved == 0) return;  // the file ends here
    done += static_cast<std::uint64_t>(moved);
  }
}

}  // namespace

void drop_from_cache(const std::string& path, bool shared) {
  int rank = 0;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  if (rank == 0 || !shared) {
    const Descriptor file(path, O_RDONLY);
    if (::fsync(file) != 0) fail(path);
    ::posix_fadvise(file, 0, 0, POSIX_FADV_DONTNEED);
  }
  MPI_Barrier(MPI_COMM_WORLD);
}

double plain_rate(const Asked& asked, const std::string& file_path, std::uint64_t bytes) {
  int rank = 0, ranks = 1;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &ranks);
  const bool shared = !asked.file_per_rank;
  const std::string path = asked.write ? file_path + ".limit" : file_path;
  std::uint64_t own = std::min(bytes, most_bytes);
  if (!asked.write) {
    if (asked.cold) drop_from_cache(path, shared);
    struct stat found {};
    if (::stat(path.c_str(), &found) != 0) fail(path);
    own = std::min(own, static_cast<std::uint64_t>(found.st_size) / static_cast<std::uint64_t>(shared ? ranks : 1));
  }
  std::uint64_t place = 0;  // after the bytes of lower ranks
  MPI_Exscan(&own, &place, 1, MPI_UINT64_T, MPI_SUM, MPI_COMM_WORLD);
  std::vector<char> piece(piece_bytes, 1);
  const Descriptor file(path, asked.write ? O_RDWR | O_CREAT : O_RDONLY);
  MPI_Barrier(MPI_COMM_WORLD);
  const double begun = MPI_Wtime();
  each_piece(path, shared ? place : 0, own, [&](std::size_t size, off_t at) {
    return asked.write ? ::pwrite(file, piece.data(), size, at) : ::pread(file, piece.data(), size, at);
  });
  if (asked.write && asked.cold && ::fsync(file) != 0) fail(path);
  double seconds = MPI_Wtime() - begun;
  MPI_Allreduce(MPI_IN_PLACE, &seconds, 1, MPI_DOUBLE, MPI_MAX, MPI_COMM_WORLD);
  MPI_Allreduce(MPI_IN_PLACE, &own, 1, MPI_UINT64_T, MPI_SUM, MPI_COMM_WORLD);
  if (asked.write && (rank == 0 || !shared)) ::unlink(path.c_str());
  MPI_Barrier(MPI_COMM_WORLD);
  return seconds > 0 ? static_cast<double>(own) / seconds : 0;
}

}  // namespace h5bench
