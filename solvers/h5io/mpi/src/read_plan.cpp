#include "read_plan.hpp"

#include <algorithm>
#include <string>
#include <utility>

#include "padding.hpp"
#include "words.hpp"

namespace rooftop::h5io::internal {
namespace {

constexpr std::uint64_t cheapest = 255;

/// Adds the options that all ranks take from rank 0.
void add_options(WordWriter& to, const OptionsByRanks& options) {
  to.add(options.sharing ? static_cast<std::uint64_t>(*options.sharing) : cheapest);
  to.add(static_cast<std::uint64_t>(options.errors));
  to.add(static_cast<std::uint64_t>(options.aggregators));
  to.add(std::uint64_t{options.library});
  to.add(options.gap_bytes);
  const Costs& costs = options.costs;
  for (const double cost : {costs.call, costs.byte, costs.decoded_byte, costs.piece, costs.message, costs.sent_byte})
    to.add(cost);
}

/// Returns a rank's options with those that it takes from rank 0.
OptionsByRanks with_options_of(WordReader& first, OptionsByRanks options) {
  const std::uint64_t sharing = first.number();
  options.sharing.reset();
  if (sharing != cheapest) options.sharing = static_cast<Sharing>(sharing);
  options.errors = static_cast<ThrownOn>(first.number());
  options.aggregators = static_cast<int>(first.number());
  options.library = first.number() != 0;
  options.gap_bytes = first.number();
  for (double* const cost : {&options.costs.call, &options.costs.byte, &options.costs.decoded_byte,
                             &options.costs.piece, &options.costs.message, &options.costs.sent_byte}) {
    *cost = first.real();
  }
  return options;
}

}  // namespace

ReadPlan::ReadPlan(std::shared_ptr<const Ranks> ranks, Dataset dataset, PartOfRead part, const OptionsByRanks& options,
                   std::shared_ptr<const FileState> opened)
    : ranks_(std::move(ranks)),
      dataset_(std::move(dataset)),
      part_(std::move(part)),
      state_(std::move(opened)),
      options_(options) {
  const auto sharing = exchange(failure_of([&] { require_valid_part(); }), options);
  if (sharing == Sharing::domains) plan_domains();
  if (sharing == Sharing::chunks) plan_chunks();
}

void ReadPlan::require_valid_part() {
  require_unchanged();
  selected_bytes_ = dataset_.selected_bytes(part_.spans);
  if (selected_bytes_ > part_.to_bytes) {
    throw InvalidArgument("the selection takes " + std::to_string(selected_bytes_) + " bytes, the memory has " +
                          std::to_string(part_.to_bytes) + "; expected room for all");
  }
  if (options_.threads < 0 || options_.aggregators < 0) {
    throw InvalidArgument("threads is " + std::to_string(options_.threads) + " and aggregators " +
                          std::to_string(options_.aggregators) + "; expected 0 or more");
  }
}

void ReadPlan::require_unchanged() const {
  if (state_ == nullptr) return;
  const FileState now = opened().file->source->state();
  if (now == *state_) return;
  const double later_s = static_cast<double>(now.modified_ns - state_->modified_ns) * 1e-9;
  throw FileError(opened().where() + ": the file was changed since it was opened: it had " +
                  std::to_string(state_->bytes) + " bytes and has " + std::to_string(now.bytes) + ", last written " +
                  std::to_string(later_s) + " s later; open it and plan the read again");
}

bool ReadPlan::can_share(Sharing sharing) const {
  return sharing == Sharing::domains ? opened().address.has_value() : opened().pipeline.has_value();
}

std::optional<Sharing> ReadPlan::exchange(const Failure& failure, const OptionsByRanks& own) {
  constexpr Sharing shared_ways[]{Sharing::domains, Sharing::chunks};
  WordWriter words;
  words.add(failure ? std::uint64_t{1} : std::uint64_t{0});
  for (const Sharing way : shared_ways) words.add(std::uint64_t{can_share(way)});
  add_options(words, own);
  words.add(failure ? std::vector<Span>(opened().description.shape.size()) : part_.spans);
  const auto of_all = ranks_->gather_alike(words.words);
  bool failed = false, can_all[]{true, true};
  for (std::size_t rank = 0; rank < of_all.size(); ++rank) {
    WordReader theirs(of_all[rank]);
    failed = theirs.number() != 0 || failed;
    for (bool& can : can_all) can = theirs.number() != 0 && can;
    const OptionsByRanks of_rank = with_options_of(theirs, own);
    if (rank == 0) options_ = of_rank;
    Selection selection{static_cast<int>(rank), 0, theirs.spans()};
    for (Span& span : selection.spans) span.stride = std::max<std::uint64_t>(span.stride, 1);
    if (selects(selection.spans)) selections_.push_back(std::move(selection));
  }
  if (failed) ranks_->agree(failure);
  if (selections_.empty() || ranks_->size() == 1 || options_.library) return {};
  for (std::size_t i = 0; i < 2; ++i) {
    if (can_all[i] && options_.sharing.value_or(shared_ways[i]) == shared_ways[i]) return shared_ways[i];
  }
  return {};
}

void ReadPlan::plan_domains() {
  DomainReading& reading = domains_.emplace(*ranks_, opened(), selections_, options_);
  const double alone = reading.seconds_alone();
  if (!options_.sharing && !ranks_->of_first(reading.seconds_at_least() < alone)) return domains_.reset();
  Counts counts;
  ranks_->together([&] { counts = reading.plan(); });
  if (options_.sharing || ranks_->largest(counts.seconds(options_.costs)) < ranks_->largest(alone)) return;
  domains_.reset();
}

void ReadPlan::plan_chunks() {
  if (!ChunkReading::possible(*ranks_, opened(), selections_)) return;
  ranks_->together([&] { chunks_.emplace(*ranks_, opened(), selections_); });
  const bool cheaper = chunks_->seconds_shared(options_.costs) < chunks_->seconds_alone(options_.costs);
  if (!options_.sharing && !ranks_->of_first(cheaper)) chunks_.reset();
}

Sharing ReadPlan::sharing() const {
  if (domains_) return Sharing::domains;
  return chunks_ ? Sharing::chunks : Sharing::alone;
}

Failure ReadPlan::change() const {
  return failure_of([&] { require_unchanged(); });
}

ReportByRanks ReadPlan::run() {
  Asked asked;
  if (domains_) {
    ranks_->agree(domains_->read(part_.to, options_, change(), asked));
    return finished(Way::sieved, asked, domains_->sent_bytes());
  }
  if (chunks_) {
    const std::uint64_t sent_bytes = chunks_->read(part_.to, options_, change(), asked);
    return finished(Way::chunks, asked, sent_bytes);
  }
  if (options_.errors == ThrownOn::own_rank) return run_alone();
  ReportByRanks report;
  ranks_->together([&] { report = run_alone(); });
  return report;
}

ReportByRanks ReadPlan::run_alone() {
  require_unchanged();
  ReportByRanks report;
  static_cast<Report&>(report) = dataset_.read(part_.spans, part_.to, part_.to_bytes, options_);
  return report;
}

ReportByRanks ReadPlan::finished(Way way, const Asked& asked, std::uint64_t sent_bytes) const {
  if (opened().padding) {
    end_with_zeros(*opened().padding, opened().description.element_bytes, part_.to, selected_bytes_);
  }
  ReportByRanks report;
  report.selected_bytes = selected_bytes_;
  report.sharing = sharing();
  report.way = selected_bytes_ > 0 || asked.reads > 0 ? way : Way::nothing;
  report.read_bytes = asked.bytes, report.reads = asked.reads, report.sent_bytes = sent_bytes;
  return report;
}

}  // namespace rooftop::h5io::internal
