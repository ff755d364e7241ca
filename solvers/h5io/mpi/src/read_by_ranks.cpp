/// Reads by ranks: chooses between separate and shared reads.
#include <algorithm>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "chunk_reading.hpp"
#include "domain_reading.hpp"
#include "open_file.hpp"
#include "padding.hpp"
#include "ranks.hpp"
#include "rooftop/h5io_mpi.hpp"
#include "selections.hpp"
#include "words.hpp"

namespace rooftop::h5io {
namespace {

using internal::Asked;
using internal::Failure;
using internal::Ranks;
using internal::Selection;

constexpr std::uint64_t cheapest = 255;

/// Adds the options that all ranks take from rank 0.
void add_options(internal::WordWriter& to, const OptionsByRanks& options) {
  to.add(options.sharing ? static_cast<std::uint64_t>(*options.sharing) : cheapest);
  to.add(static_cast<std::uint64_t>(options.aggregators));
  to.add(std::uint64_t{options.library});
  to.add(options.gap_bytes);
  const Costs& costs = options.costs;
  for (const double cost : {costs.call, costs.byte, costs.decoded_byte, costs.piece, costs.message, costs.sent_byte})
    to.add(cost);
}

/// Returns a rank's options with those that it takes from rank 0.
OptionsByRanks with_options_of(internal::WordReader& first, OptionsByRanks options) {
  const std::uint64_t sharing = first.number();
  options.sharing.reset();
  if (sharing != cheapest) options.sharing = static_cast<Sharing>(sharing);
  options.aggregators = static_cast<int>(first.number());
  options.library = first.number() != 0;
  options.gap_bytes = first.number();
  for (double* const cost : {&options.costs.call, &options.costs.byte, &options.costs.decoded_byte,
                             &options.costs.piece, &options.costs.message, &options.costs.sent_byte}) {
    *cost = first.real();
  }
  return options;
}

/// What all ranks know before they read: the options that they share, and what each selects, if anything.
struct Agreed {
  OptionsByRanks options;
  std::vector<Selection> selections;
};

/// Exchanges these in one message. Throws on all ranks if any has a failure.
Agreed agreed(const Ranks& ranks, const Failure& failure, const OptionsByRanks& options, const std::vector<Span>& spans,
              std::size_t dimensions) {
  internal::WordWriter own;
  own.add(failure ? std::uint64_t{1} : std::uint64_t{0});
  add_options(own, options);
  const std::vector<Span> none(dimensions);
  own.add(failure ? none : spans);
  const auto of_all = ranks.gather_alike(own.words);
  Agreed result;
  bool failed = false;
  for (std::size_t rank = 0; rank < of_all.size(); ++rank) {
    internal::WordReader theirs(of_all[rank]);
    if (theirs.number() != 0) failed = true;
    const OptionsByRanks of_rank = with_options_of(theirs, options);
    if (rank == 0) result.options = of_rank;
    Selection selection{static_cast<int>(rank), 0, theirs.spans()};
    for (Span& span : selection.spans) span.stride = std::max<std::uint64_t>(span.stride, 1);
    if (internal::selects(selection.spans)) result.selections.push_back(std::move(selection));
  }
  if (failed) ranks.agree(failure);
  return result;
}

/// One collective read, on one rank.
struct Reading {
  const Ranks& ranks;
  const Dataset::Open& dataset;
  const OptionsByRanks& options;
  std::byte* to;
  ReportByRanks& report;

  /// Reads by domains. Returns false, without reading, if separate reads are expected to be faster.
  bool by_domains(const std::vector<Selection>& selections) {
    internal::DomainReading reading(ranks, dataset, selections, options);
    const double alone = reading.seconds_alone();
    if (!options.sharing && !ranks.of_first(reading.seconds_at_least() < alone)) return false;
    internal::Counts counts;
    ranks.together([&] { counts = reading.plan(); });
    if (!options.sharing && !(ranks.largest(counts.seconds(options.costs)) < ranks.largest(alone))) return false;
    Asked asked;
    ranks.agree(reading.read(to, options, asked));
    finish(Sharing::domains, Way::sieved, asked, reading.sent_bytes());
    return true;
  }

  bool by_chunks(const std::vector<Selection>& selections) {
    if (!internal::ChunkReading::possible(ranks, dataset, selections)) return false;
    std::optional<internal::ChunkReading> reading;
    ranks.together([&] { reading.emplace(ranks, dataset, selections); });
    const bool cheaper = reading->seconds_shared(options.costs) < reading->seconds_alone(options.costs);
    if (!options.sharing && !ranks.of_first(cheaper)) return false;
    Asked asked;
    const std::uint64_t sent = reading->read(to, options, asked);
    finish(Sharing::chunks, Way::chunks, asked, sent);
    return true;
  }

 private:
  void finish(Sharing sharing, Way way, const Asked& asked, std::uint64_t sent) {
    if (dataset.padding) {
      internal::end_with_zeros(*dataset.padding, dataset.description.element_bytes, to, report.selected_bytes);
    }
    report.sharing = sharing;
    report.way = report.selected_bytes > 0 || asked.reads > 0 ? way : Way::nothing;
    report.read_bytes = asked.bytes, report.reads = asked.reads, report.sent_bytes = sent;
  }
};

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
  ranks_->together([&] {
    own.emplace(file_->dataset(name));
    if (!own->description().variable) return;
    throw FileError(own->opened().where() + " has values of variable length; expected ones that ranks can share");
  });
  auto of_first = facts(own->opened());
  ranks_->broadcast(of_first, 0);
  ranks_->together([&] {
    if (facts(own->opened()) == of_first) return;
    throw FileError(own->opened().where() + " is another one than rank 0 has; expected the same file on all ranks");
  });
  return {ranks_, std::move(*own)};
}

const Description& DatasetByRanks::description() const { return dataset_.description(); }

std::vector<Span> DatasetByRanks::all() const { return dataset_.all(); }

ReportByRanks DatasetByRanks::read(const std::vector<Span>& spans, void* to, std::size_t to_bytes,
                                   const OptionsByRanks& own_options) const {
  const Dataset::Open& dataset = dataset_.opened();
  ReportByRanks report;
  const Failure failure = internal::failure_of([&] {
    report.selected_bytes = dataset_.selected_bytes(spans);
    if (report.selected_bytes > to_bytes) {
      throw InvalidArgument("the selection takes " + std::to_string(report.selected_bytes) + " bytes, the memory has " +
                            std::to_string(to_bytes) + "; expected room for all");
    }
    if (own_options.threads < 0 || own_options.aggregators < 0) {
      throw InvalidArgument("threads is " + std::to_string(own_options.threads) + " and aggregators " +
                            std::to_string(own_options.aggregators) + "; expected 0 or more");
    }
  });
  const Agreed all = agreed(*ranks_, failure, own_options, spans, dataset.description.shape.size());
  const OptionsByRanks& options = all.options;
  const auto may = [&](Sharing sharing) {
    return ranks_->size() > 1 && !options.library && options.sharing.value_or(sharing) == sharing;
  };
  Reading reading{*ranks_, dataset, options, static_cast<std::byte*>(to), report};
  const bool domains = dataset.address.has_value() && may(Sharing::domains);
  const bool chunks = !domains && dataset.pipeline.has_value() && may(Sharing::chunks);
  if (!all.selections.empty() && (domains || chunks)) {
    if (domains ? reading.by_domains(all.selections) : reading.by_chunks(all.selections)) return report;
  }
  ranks_->together([&] { static_cast<Report&>(report) = dataset_.read(spans, to, to_bytes, options); });
  return report;
}

}  // namespace rooftop::h5io
