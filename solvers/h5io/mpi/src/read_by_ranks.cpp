/// Reads by ranks: files, datasets, and reads that are planned.
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "open_file.hpp"
#include "ranks.hpp"
#include "read_plan.hpp"
#include "rooftop/h5io_mpi.hpp"
#include "words.hpp"

namespace rooftop::h5io {
namespace {

using internal::FileState;
using internal::Ranks;
using internal::ReadPlan;

/// Returns the properties of a dataset that must be the same on all ranks.
std::vector<std::uint64_t> facts(const Dataset::Open& dataset) {
  internal::WordWriter words;
  words.add(dataset.description.shape);
  words.add(dataset.description.chunk);
  words.add(dataset.description.type);
  words.add(std::uint64_t{dataset.address.value_or(0)});
  return words.words;
}

}  // namespace

FileByRanks::FileByRanks(const std::string& path, MPI_Comm ranks) : ranks_(std::make_shared<Ranks>(ranks)) {
  ranks_->together([&] { file_ = std::make_shared<File>(path); });
}

const std::string& FileByRanks::path() const { return file_->path(); }

std::vector<std::string> FileByRanks::datasets() const { return file_->datasets(); }

DatasetByRanks FileByRanks::dataset(const std::string& name) const {
  std::optional<Dataset> own;
  std::shared_ptr<const FileState> state;
  ranks_->together([&] {
    own.emplace(file_->dataset(name));
    const auto& source = own->opened().file->source;
    if (source) state = std::make_shared<const FileState>(source->state());
    if (!own->description().variable) return;
    throw FileError(own->opened().where() + " has values of variable length; expected ones that ranks can share");
  });
  auto of_first = facts(own->opened());
  ranks_->broadcast(of_first, 0);
  ranks_->together([&] {
    if (facts(own->opened()) == of_first) return;
    throw FileError(own->opened().where() + " is another one than rank 0 has; expected the same file on all ranks");
  });
  return {ranks_, std::move(*own), std::move(state)};
}

const Description& DatasetByRanks::description() const { return dataset_.description(); }

std::vector<Span> DatasetByRanks::all() const { return dataset_.all(); }

ReportByRanks DatasetByRanks::read(const std::vector<Span>& spans, void* to, std::size_t to_bytes,
                                   const OptionsByRanks& options) const {
  return ReadPlan(ranks_, dataset_, {spans, static_cast<std::byte*>(to), to_bytes}, options).run();
}

PlannedRead DatasetByRanks::plan(const std::vector<Span>& spans, void* to, std::size_t to_bytes,
                                 const OptionsByRanks& options) const {
  const internal::PartOfRead part{spans, static_cast<std::byte*>(to), to_bytes};
  return PlannedRead(std::make_unique<ReadPlan>(ranks_, dataset_, part, options, state_));
}

PlannedRead::PlannedRead(std::unique_ptr<ReadPlan> plan) : plan_(std::move(plan)) {}
PlannedRead::PlannedRead(PlannedRead&&) noexcept = default;
PlannedRead& PlannedRead::operator=(PlannedRead&&) noexcept = default;
PlannedRead::~PlannedRead() = default;

Sharing PlannedRead::sharing() const { return plan_->sharing(); }

std::uint64_t PlannedRead::selected_bytes() const { return plan_->selected_bytes(); }

ReportByRanks PlannedRead::run() { return plan_->run(); }

}  // namespace rooftop::h5io
