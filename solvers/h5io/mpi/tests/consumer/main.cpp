// Ranks write a file and read it; one process is one rank.
#include <mpi.h>

#include <cstdio>
#include <filesystem>
#include <rooftop/h5io_mpi.hpp>
#include <vector>

int main(int count, char** words) {
  MPI_Init(&count, &words);
  int wrong = 1;
  try {
    const char* const path = "consumer.h5";
    const std::vector<float> written{1, 2, 3};
    std::vector<float> read(written.size());
    const std::size_t bytes = written.size() * sizeof(float);
    rooftop::h5io::OutputFileByRanks file(path, MPI_COMM_WORLD, true);
    const auto x = file.dataset("x", {.shape = {written.size()}, .type = "<f4", .chunk = {}, .filters = {}});
    x.write({{0, 1, 1, written.size()}}, written.data(), bytes);
    file.close();
    const auto found = rooftop::h5io::FileByRanks(path, MPI_COMM_WORLD).dataset("x");
    found.read(found.all(), read.data(), bytes);
    wrong = read == written ? 0 : 1;
    std::filesystem::remove(path);
  } catch (const std::exception& error) {
    std::puts(error.what());
  }
  MPI_Finalize();
  return wrong;
}
