/// Reads by ranks: chooses between separate and shared reads.
#include <optional>
#include <string>
#include <utility>

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
using internal::Ranks;
using internal::Selection;

constexpr std::uint64_t cheapest = 255;

/// Returns the options with those of rank 0 where all ranks must agree.
OptionsByRanks agreed(const Ranks& ranks, OptionsByRanks options) {
  internal::WordWriter own;
  own.add(options.sharing ? static_cast<std::uint64_t>(*options.sharing) : cheapest);
  own.add(static_cast<std::uint64_t>(options.aggregators));
  own.add(std::uint64_t{options.library});
  own.add(options.gap_bytes);
  const Costs& costs = options.costs;
  for (const double cost : {costs.call, costs.byte, costs.decoded_byte, costs.piece, costs.message, costs.sent_byte})
    own.add(cost);
  ranks.broadcast(own.words, 0);
  internal::WordReader of_first(own.words);
  const std::uint64_t sharing = of_first.number();
  options.sharing.reset();
  if (sharing != cheapest) options.sharing = static_cast<Sharing>(sharing);
  options.aggregators = static_cast<int>(of_first.number());
  options.library = of_first.number() != 0;
  options.gap_bytes = of_first.number();
  for (double* const cost : {&options.costs.call, &options.costs.byte, &options.costs.decoded_byte,
                             &options.costs.piece, &options.costs.message, &options.costs.sent_byte}) {
    *cost = of_first.real();
  }
  return options;
}

/// Returns the value of rank 0, so that all ranks make the same decision.
bool agreed(const Ranks& ranks, bool own) {
  std::vector<std::uint64_t> word{own ? std::uint64_t{1} : 0};
  ranks.broadcast(word, 0);
  return word[0] != 0;
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
    if (!options.sharing && !agreed(ranks, reading.seconds_at_least() < alone)) return false;
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
    if (!options.sharing && !agreed(ranks, cheaper)) return false;
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
  ranks_->together([&] {
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
  const OptionsByRanks options = agreed(*ranks_, own_options);
  const auto may = [&](Sharing sharing) {
    return ranks_->size() > 1 && !options.library && options.sharing.value_or(sharing) == sharing;
  };
  Reading reading{*ranks_, dataset, options, static_cast<std::byte*>(to), report};
  const bool domains = dataset.address.has_value() && may(Sharing::domains);
  const bool chunks = !domains && dataset.pipeline.has_value() && may(Sharing::chunks);
  if (domains || chunks) {
    const auto selections = internal::gather_selections(*ranks_, {spans}, spans.size());
    if (!selections.empty() && (domains ? reading.by_domains(selections) : reading.by_chunks(selections))) {
      return report;
    }
  }
  ranks_->together([&] { static_cast<Report&>(report) = dataset_.read(spans, to, to_bytes, options); });
  return report;
}

}  // namespace rooftop::h5io
