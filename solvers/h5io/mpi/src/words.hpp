/// Serialization of numbers and texts as 64-bit words, for messages.
#pragma once

#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <string>
#include <vector>

#include "rooftop/h5io.hpp"

namespace rooftop::h5io::internal {

/// Appends values to a vector of words.
class WordWriter {
 public:
  void add(std::uint64_t number) { words.push_back(number); }
  void add(double number) { words.push_back(std::bit_cast<std::uint64_t>(number)); }
  void add(const std::vector<std::uint64_t>& numbers) {
    add(std::uint64_t{numbers.size()});
    words.insert(words.end(), numbers.begin(), numbers.end());
  }
  void add(const std::string& text) {
    add(std::uint64_t{text.size()});
    const std::size_t at = words.size();
    words.resize(at + (text.size() + 7) / 8);
    if (!text.empty()) std::memcpy(words.data() + at, text.data(), text.size());
  }
  void add(const std::vector<Filter>& filters) {
    add(std::uint64_t{filters.size()});
    for (const Filter& filter : filters) {
      add(static_cast<std::uint64_t>(filter.id));
      add(std::vector<std::uint64_t>(filter.parameters.begin(), filter.parameters.end()));
      add(std::uint64_t{filter.optional});
      add(filter.name);
    }
  }
  void add(const std::vector<Span>& spans) {
    add(std::uint64_t{spans.size()});
    for (const Span& span : spans) words.insert(words.end(), {span.start, span.count, span.stride, span.block});
  }

  std::vector<std::uint64_t> words;
};

/// Reads values in the order in which a WordWriter added them.
class WordReader {
 public:
  explicit WordReader(const std::vector<std::uint64_t>& words) : next_(words.data()) {}

  [[nodiscard]] std::uint64_t number() { return *next_++; }
  [[nodiscard]] double real() { return std::bit_cast<double>(number()); }
  [[nodiscard]] std::vector<std::uint64_t> numbers() {
    const std::uint64_t count = number();
    next_ += count;
    return {next_ - count, next_};
  }
  [[nodiscard]] std::string text() {
    const std::uint64_t length = number();
    std::string text(length, '\0');
    if (length > 0) std::memcpy(text.data(), next_, length);
    next_ += (length + 7) / 8;
    return text;
  }
  [[nodiscard]] std::vector<Filter> filters() {
    std::vector<Filter> filters(number());
    for (Filter& filter : filters) {
      filter.id = static_cast<int>(number());
      const auto parameters = numbers();
      filter.parameters.assign(parameters.begin(), parameters.end());
      filter.optional = number() != 0;
      filter.name = text();
    }
    return filters;
  }
  [[nodiscard]] std::vector<Span> spans() {
    std::vector<Span> spans(number());
    for (Span& span : spans) {
      span.start = number(), span.count = number();
      span.stride = number(), span.block = number();
    }
    return spans;
  }

 private:
  const std::uint64_t* next_;
};

}  // namespace rooftop::h5io::internal
