/// A new file that all ranks write.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "open_file.hpp"
#include "pipeline.hpp"
#include "ranks.hpp"
#include "rooftop/h5io_mpi.hpp"
#include "source.hpp"

namespace rooftop::h5io::internal {

/// A dataset of the file. Only rank 0 has it open in the HDF5 library.
struct OutputArray {
  std::string name;
  Description description;
  std::optional<std::uint64_t> address;  ///< of a contiguous dataset
  std::optional<Pipeline> pipeline;      ///< of a chunked dataset, if every rank has its filters
  std::optional<OutputDataset> opened;   ///< on rank 0 only
};

class OutputByRanks {
 public:
  OutputByRanks(const std::string& path, MPI_Comm communicator, bool replace);
  OutputByRanks(const OutputByRanks&) = delete;
  OutputByRanks& operator=(const OutputByRanks&) = delete;
  /// Removes the unfinished file, unless it was closed.
  ~OutputByRanks();

  [[nodiscard]] std::shared_ptr<const OutputArray> make(const std::string& name, const Creation& creation);
  ReportByRanks write(const OutputArray& array, const std::vector<Written>& parts, const Options& options);
  void close(bool durable);

  const Ranks ranks;
  const std::string path;

  /// Returns the bytes of the file, to read back what was written.
  [[nodiscard]] const Source& source() const { return *source_; }

 private:
  void require_open() const;
  void require_absent() const;
  /// Closes the file and renames it to its final name, on rank 0. `durable`: waits until it is on the device.
  void finish(bool durable);
  void remove_partial() noexcept;

  const bool replace_;
  bool closed_ = false, failed_ = false;
  std::string partial_;
  std::optional<OutputFile> file_;  ///< on rank 0 only
  std::optional<Source> source_;
};

}  // namespace rooftop::h5io::internal
