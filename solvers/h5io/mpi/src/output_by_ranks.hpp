/// A new file that ranks write: what each of them has of it.
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

/// A dataset. Only rank 0 has it open.
struct OutputArray {
  std::string name;
  Description description;
  std::optional<std::uint64_t> address;  ///< where it lies in one piece
  std::optional<Pipeline> pipeline;      ///< where it has chunks that every rank can encode
  std::optional<OutputDataset> opened;   ///< on rank 0
};

class OutputByRanks {
 public:
  OutputByRanks(const std::string& path, MPI_Comm communicator, bool replace);
  OutputByRanks(const OutputByRanks&) = delete;
  OutputByRanks& operator=(const OutputByRanks&) = delete;
  /// Removes what was written, unless the file was closed.
  ~OutputByRanks();

  [[nodiscard]] std::shared_ptr<const OutputArray> make(const std::string& name, const Creation& creation);
  ReportByRanks write(const OutputArray& array, const std::vector<Written>& parts, const Options& options);
  void close(bool durable);

  const Ranks ranks;
  const std::string path;

  /// The bytes of the file, for whoever reads back what was written.
  [[nodiscard]] const Source& source() const { return *source_; }

 private:
  void require_open() const;
  void require_absent() const;
  /// On rank 0: the file has its name in the end.
  void finish(bool durable);
  void remove_partial() noexcept;

  const bool replace_;
  bool closed_ = false, failed_ = false;
  std::string partial_;
  std::optional<OutputFile> file_;  ///< on rank 0
  std::optional<Source> source_;
};

}  // namespace rooftop::h5io::internal
