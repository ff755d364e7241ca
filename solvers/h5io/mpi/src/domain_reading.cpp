#include "domain_reading.hpp"

#include <algorithm>
#include <cstring>
#include <utility>

namespace rooftop::h5io::internal {
namespace {

constexpr std::uint64_t page = 4096, least_domain = 1 << 20;
/// One tag is enough: messages from one rank to another arrive in the order in which they were sent.
constexpr int tag = 1;

Domains domains_of(const Ranks& ranks, const Dataset::Open& dataset, const std::vector<PlacedRuns>& runs,
                   int aggregators) {
  std::uint64_t begin = runs.front().begin(), end = 0;
  for (const PlacedRuns& one : runs) begin = std::min(begin, one.begin()), end = std::max(end, one.end());
  return {*dataset.address, begin, end, ranks.size(), aggregators};
}

std::vector<PlacedRuns> runs_of(const Dataset::Open& dataset, const std::vector<Selection>& selections) {
  std::vector<PlacedRuns> runs;
  for (const Selection& one : selections) {
    runs.emplace_back(dataset.description.shape, one.spans, dataset.description.element_bytes);
  }
  return runs;
}

void require_not_stopped(const Options& options) {
  if (options.stop != nullptr && __atomic_load_n(options.stop, __ATOMIC_RELAXED) != 0) {
    throw Stopped("the read was asked to stop");
  }
}

}  // namespace

Domains::Domains(std::uint64_t address, std::uint64_t begin, std::uint64_t end, int ranks, int aggregators)
    : address_(address), begin_(begin), end_(end), ranks_(ranks) {
  const std::uint64_t wanted = aggregators > 0 ? static_cast<std::uint64_t>(aggregators) : (end - begin) / least_domain;
  const std::uint64_t most = std::min<std::uint64_t>(static_cast<std::uint64_t>(ranks), (end - begin) / page + 1);
  count_ = static_cast<int>(std::clamp<std::uint64_t>(wanted, 1, most));
}

std::uint64_t Domains::cut(int i) const {
  if (i == 0) return begin_;
  if (i >= count_) return end_;
  const std::uint64_t each = (end_ - begin_) / static_cast<std::uint64_t>(count_);
  const std::uint64_t at = address_ + begin_ + each * static_cast<std::uint64_t>(i);
  return std::max(at - at % page, address_ + begin_) - address_;
}

DomainReading::DomainReading(const Ranks& ranks, const Dataset::Open& dataset, const std::vector<Selection>& selections,
                             const OptionsByRanks& options)
    : ranks_(ranks),
      dataset_(dataset),
      runs_(runs_of(dataset, selections)),
      options_(options),
      domains_(domains_of(ranks, dataset, runs_, options.aggregators)) {
  for (std::size_t i = 0; i < selections.size(); ++i) {
    owners_.push_back(selections[i].rank);
    if (selections[i].rank == ranks.rank()) own_ = &runs_[i];
  }
  for (int i = 0; i < domains_.count(); ++i) {
    if (domains_.owner(i) == ranks.rank()) domain_ = i;
  }
}

double DomainReading::seconds_alone() const {
  double most = 0;
  for (const PlacedRuns& one : runs_) {
    most = std::max(most, alone(one.runs(), options_.gap_bytes).seconds(options_.costs));
  }
  return most;
}

std::uint64_t DomainReading::read_at_least() const {
  // Between pieces that are closer than a block, every block is wanted.
  const auto covered = [](const Runs& runs) {
    if (runs.spacing() > Window::block) return runs.count() * runs.run_bytes();
    const std::uint64_t even = runs.evenly_spaced(0);
    return runs.count() / even * ((even - 1) * runs.spacing() + runs.run_bytes());
  };
  std::vector<const PlacedRuns*> sorted;
  for (const PlacedRuns& one : runs_) sorted.push_back(&one);
  std::sort(sorted.begin(), sorted.end(),
            [](const PlacedRuns* one, const PlacedRuns* other) { return one->begin() < other->begin(); });
  std::uint64_t most = 0, sum = 0, end = 0;
  bool apart = true;
  for (const PlacedRuns* const one : sorted) {
    apart = apart && one->begin() >= end;
    end = one->end();
    most = std::max(most, covered(one->runs())), sum += covered(one->runs());
  }
  return apart ? sum : most;
}

double DomainReading::seconds_at_least() const {
  std::uint64_t most = 0, pieces = 0;
  for (const PlacedRuns& one : runs_) most = std::max(most, one.bytes()), pieces += one.runs().count();
  const auto count = static_cast<std::uint64_t>(domains_.count());
  return Counts{
      .calls = 1, .read_bytes = read_at_least() / count, .pieces = pieces / count, .sent_bytes = most - most / count}
      .seconds(options_.costs);
}

Counts DomainReading::plan() {
  Counts counts;
  for (int i = 0; own_ != nullptr && i < domains_.count(); ++i) {
    if (i == domain_) continue;
    windows(i, [&](std::uint64_t from, std::uint64_t to) {
      const std::uint64_t bytes = own_->bytes_before(to) - own_->bytes_before(from);
      counts.sent_bytes += bytes, counts.messages += bytes > 0 ? 1 : 0;
    });
  }
  if (domain_ < 0) return counts;
  Window& window = window_.emplace(window_bytes, *dataset_.address, options_.gap_bytes);
  std::uint64_t most_packed = 0;
  windows(domain_, [&](std::uint64_t from, std::uint64_t to) {
    std::uint64_t packed = 0;
    window.move(from, to);
    for (std::size_t i = 0; i < runs_.size(); ++i) {
      std::uint64_t bytes = 0;
      runs_[i].pieces(from, to, [&](std::uint64_t offset, std::uint64_t length, std::uint64_t) {
        window.want(offset, length);
        bytes += length, ++counts.pieces;
      });
      if (owners_[i] == ranks_.rank()) continue;
      packed += bytes, counts.messages += bytes > 0 ? 1 : 0;
    }
    window.parts([&](std::uint64_t begin, std::uint64_t end) { counts.read_bytes += end - begin, counts.calls += 1; });
    counts.sent_bytes += packed;
    most_packed = std::max(most_packed, packed);
  });
  for (Slot& slot : slots_) {
    slot.window.make_room(std::min(window_bytes, domains_.cut(domain_ + 1) - domains_.cut(domain_)));
    slot.packed.make_room(most_packed);
  }
  return counts;
}

void DomainReading::receive(std::byte* to, std::vector<MPI_Request>& receives) const {
  for (int i = 0; own_ != nullptr && i < domains_.count(); ++i) {
    if (i == domain_) continue;
    windows(i, [&](std::uint64_t from, std::uint64_t end) {
      const std::uint64_t at = own_->bytes_before(from), bytes = own_->bytes_before(end) - at;
      if (bytes == 0) return;
      MPI_Irecv(to + at, static_cast<int>(bytes), MPI_BYTE, domains_.owner(i), tag, ranks_.get(),
                &receives.emplace_back());
    });
  }
}

void DomainReading::send(std::uint64_t from, std::uint64_t end, Slot& slot, std::byte* to) {
  const auto* const window = static_cast<const std::byte*>(slot.window.data);
  auto* packed = static_cast<std::byte*>(slot.packed.data);
  for (std::size_t i = 0; i < runs_.size(); ++i) {
    if (owners_[i] == ranks_.rank()) {
      runs_[i].pieces(from, end, [&](std::uint64_t offset, std::uint64_t length, std::uint64_t in_memory) {
        std::memcpy(to + in_memory, window + (offset - from), length);
      });
      continue;
    }
    std::byte* const first = packed;
    runs_[i].pieces(from, end, [&](std::uint64_t offset, std::uint64_t length, std::uint64_t) {
      std::memcpy(packed, window + (offset - from), length);
      packed += length;
    });
    if (packed == first) continue;
    MPI_Isend(first, static_cast<int>(packed - first), MPI_BYTE, owners_[i], tag, ranks_.get(),
              &slot.sends.emplace_back());
    sent_ += static_cast<std::uint64_t>(packed - first);
  }
}

Failure DomainReading::read(std::byte* to, const Options& options, Failure before, Asked& asked) {
  const auto wait_for = [](std::vector<MPI_Request>& requests) {
    MPI_Waitall(static_cast<int>(requests.size()), requests.data(), MPI_STATUSES_IGNORE);
    requests.clear();
  };
  sent_ = 0;
  receive(to, receives_);
  Failure failure = std::move(before);
  if (domain_ >= 0) {
    Window& window = *window_;
    Slot* slot = slots_;
    windows(domain_, [&](std::uint64_t from, std::uint64_t end) {
      wait_for(slot->sends);
      window.move(from, end);
      for (const PlacedRuns& one : runs_) {
        one.pieces(from, end,
                   [&](std::uint64_t offset, std::uint64_t length, std::uint64_t) { window.want(offset, length); });
      }
      auto* const at = static_cast<std::byte*>(slot->window.data);
      const auto read_parts = [&] {
        require_not_stopped(options);
        window.parts([&](std::uint64_t begin, std::uint64_t part_end) {
          dataset_.file->source->read(*dataset_.address + begin, at + (begin - from), part_end - begin, asked);
        });
      };
      if (!failure) failure = failure_of(read_parts);
      send(from, end, *slot, to);
      slot = slot == slots_ ? slots_ + 1 : slots_;
    });
    for (Slot& one : slots_) wait_for(one.sends);
  }
  wait_for(receives_);
  return failure;
}

}  // namespace rooftop::h5io::internal
