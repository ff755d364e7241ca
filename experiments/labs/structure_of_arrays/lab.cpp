/// Records in memory: an array of structures, a structure of arrays, and arrays of small structures.
///
/// A walk over all records that needs two of eight members wants these two packed. A visit to one record somewhere
/// wants all that it needs in one line. No layout is the best for both.
#include <array>
#include <rooftop/aligned.hpp>
#include <rooftop/lab.hpp>
#include <rooftop/random.hpp>
#include <string>
#include <utility>
#include <vector>

namespace {

typedef std::int64_t Pair __attribute__((vector_size(16), may_alias));

/// Records of eight members, each 8 bytes. In order, members 0 and 3 of all records are summed; at random, members 0 to
/// 3 of a quarter of them.
class Records final : public rooftop::Lab {
 public:
  struct Parameters {
    std::int64_t records;
    std::int64_t random;
  };
  static constexpr std::array fields{rooftop::field<&Parameters::records>("records", 1, 1 << 28),
                                     rooftop::field<&Parameters::random>("random", 0, 1)};
  static std::vector<Parameters> checks() {
    return {{.records = 1, .random = 0}, {.records = 1009, .random = 0}, {.records = 1009, .random = 1}};
  }

  Records(const Parameters& given, const rooftop::Setting& setting)
      : records(given.records), random(given.random == 1) {
    const rooftop::RandomStream stream(setting.seed);
    if (random) visits = rooftop::AlignedArray<std::uint32_t>(static_cast<std::size_t>(records + 3) / 4);
    for (std::size_t i = 0; i < visits.size(); ++i) {
      visits[i] = static_cast<std::uint32_t>(stream.bits(i) % static_cast<std::uint64_t>(records));
    }
  }

  void poison() override { sum = -1; }
  void spoil() override { sum += 1; }

  /// Member m of record r is 8 r + m.
  [[nodiscard]] rooftop::Verdict verify(std::string_view /*algorithm*/) const override {
    std::int64_t expected = random ? 0 : 8 * records * (records - 1) + 3 * records;
    for (const std::uint32_t record : visits) expected += 32 * std::int64_t{record} + 0 + 1 + 2 + 3;
    if (sum == expected) return rooftop::exact("");
    return rooftop::exact("the sum is " + std::to_string(sum) + ", expected " + std::to_string(expected));
  }

  const std::int64_t records;
  const bool random;
  rooftop::AlignedArray<std::uint32_t> visits;  ///< records to visit at random
  std::int64_t sum = -1;                        ///< the result
};

/// Member m of record r lies in group m / width, at r: groups of 8 are an array of structures, groups of 1 a structure
/// of arrays.
template <std::int64_t width>
class Layout final : public rooftop::LabRung {
  struct alignas(width * 8) Group {
    std::int64_t members[width];
  };

 public:
  explicit Layout(Records& lab) : lab_(lab) {
    for (std::int64_t group = 0; group < 8 / width; ++group) {
      rooftop::AlignedArray<Group>& array = groups_[static_cast<std::size_t>(group)];
      array = rooftop::AlignedArray<Group>(static_cast<std::size_t>(lab.records));
      for (std::int64_t record = 0; record < lab.records; ++record) {
        for (std::int64_t member = 0; member < width; ++member) {
          array[static_cast<std::size_t>(record)].members[member] = 8 * record + group * width + member;
        }
      }
    }
  }

  void run() override {
    std::int64_t sum = 0;
    const auto records = static_cast<std::size_t>(lab_.records);
    if (lab_.random && width >= 4) {
      Pair sums = {};
      for (const std::uint32_t record : lab_.visits) sums += pair<0>(record) + pair<2>(record);
      sum = sums[0] + sums[1];
    } else if (lab_.random) {
      for (const std::uint32_t record : lab_.visits)
        sum += at<0>(record) + at<1>(record) + at<2>(record) + at<3>(record);
    } else {
      for (std::size_t record = 0; record < records; ++record) sum += at<0>(record) + at<3>(record);
    }
    lab_.sum = sum;
  }

 private:
  template <std::size_t member>
  [[nodiscard]] const std::int64_t& at(std::size_t record) const {
    return groups_[member / width].data()[record].members[member % width];
  }
  /// Neighbours, by one load.
  template <std::size_t member>
  [[nodiscard]] const Pair& pair(std::size_t record) const {
    return reinterpret_cast<const Pair&>(at<member>(record));
  }

  Records& lab_;
  std::array<rooftop::AlignedArray<Group>, 8 / width> groups_;
};

using rooftop::variant;

}  // namespace

ROOFTOP_LAB(Records, variant<Layout<8>, Records>("10-array-of-structures", "A line of 64 bytes for each record."),
            variant<Layout<4>, Records>("20-small-structures", "Two arrays, of what is used together: 32 bytes each."),
            variant<Layout<1>, Records>("30-structure-of-arrays", "An array for each member."));
