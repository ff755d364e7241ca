#include "scanner.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <istream>
#include <limits>
#include <system_error>

#include "keywords.hpp"
#include "rooftop/tsplib.hpp"

namespace rooftop::routing {
namespace {

constexpr std::array<bool, 256> blank_table() {
  std::array<bool, 256> table{};
  for (const unsigned char c : {' ', '\t', '\n', '\v', '\f', '\r'}) table[c] = true;
  return table;
}
constexpr std::array<bool, 256> blanks = blank_table();

bool is_blank(char c) { return blanks[static_cast<unsigned char>(c)]; }
bool ends_line(char c) { return c == '\n' || c == '\r'; }
bool is_letter(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z'); }

/// Finding a remark's line takes a time that grows with the text.
constexpr std::size_t most_remarks = 8;

/// How far the name at the beginning goes: a letter, then letters, digits and _.
std::size_t name_length(std::string_view text) {
  if (text.empty() || !is_letter(text.front())) return 0;
  std::size_t end = 1;
  while (end < text.size() && (is_letter(text[end]) || (text[end] >= '0' && text[end] <= '9') || text[end] == '_')) {
    ++end;
  }
  return end;
}

/// A real that takes up a whole word.
std::optional<double> to_real(std::string_view word) {
  if (word.starts_with('+') && !word.starts_with("+-")) word.remove_prefix(1);
  double value = 0;
  const auto [end, error] = std::from_chars(word.data(), word.data() + word.size(), value);
  if (error != std::errc() || end != word.data() + word.size() || !std::isfinite(value)) return std::nullopt;
  return value;
}

}  // namespace

std::string quoted(std::string_view text) {
  constexpr std::size_t longest = 40;
  std::string shown = "'";
  for (const char c : text.substr(0, longest)) shown += c >= ' ' && c <= '~' ? c : '?';
  return shown + (text.size() > longest ? "...'" : "'");
}

std::optional<std::int64_t> to_integer(std::string_view word) {
  if (word.starts_with('+') && !word.starts_with("+-")) word.remove_prefix(1);
  std::int64_t value = 0;
  const auto [end, error] = std::from_chars(word.data(), word.data() + word.size(), value);
  if (error == std::errc() && end == word.data() + word.size()) return value;
  // Up to 2^53 every integer is a double, and none is rounded to one.
  const std::optional<double> real = to_real(word);
  if (!real || std::abs(*real) > 9007199254740992.0 || *real != std::trunc(*real)) return std::nullopt;
  return static_cast<std::int64_t>(*real);
}

bool is_name(std::string_view word) { return !word.empty() && name_length(word) == word.size(); }

Scanner::Scanner(std::istream& in, const std::string& source) : source_(source) {
  for (char& c : source_) {
    if (static_cast<unsigned char>(c) < ' ') c = '?';
  }
  load(in);
  if (text_.starts_with("\xEF\xBB\xBF")) next_ = 3;  // a byte order mark
}

void Scanner::load(std::istream& in) {
  constexpr std::size_t chunk = std::size_t{1} << 14;
  std::size_t size = 0;
  do {
    // Twice as much each time: what is copied in all stays linear.
    text_.resize(std::max(size + chunk, 2 * size));
    in.read(text_.data() + size, static_cast<std::streamsize>(text_.size() - size));
    const auto got = static_cast<std::size_t>(in.gcount());
    const std::string_view piece(text_.data() + size, got);
    if (size == 0 && piece.starts_with("\x1F\x8B")) fail("compressed by gzip; expected plain text: gunzip it first");
    if (const std::size_t zero = piece.find('\0'); zero != std::string_view::npos) {
      word_ = size + zero;
      text_.resize(size + got);
      fail("a byte of value 0 at offset " + std::to_string(word_) + "; expected a TSPLIB file, which is text");
    }
    size += got;
  } while (in);
  text_.resize(size);
  if (in.bad()) fail("cannot be read any further: " + std::to_string(size) + " bytes came; expected a file of text");
}

void Scanner::skip_blanks() {
  while (next_ < text_.size() && is_blank(text_[next_])) ++next_;
  while (next_ < text_.size() && text_[next_] == '#') {
    while (next_ < text_.size() && !ends_line(text_[next_])) ++next_;
    while (next_ < text_.size() && is_blank(text_[next_])) ++next_;
  }
  word_ = next_;
}

std::string_view Scanner::peek() const {
  std::size_t end = next_;
  while (end < text_.size() && !is_blank(text_[end])) ++end;
  return std::string_view(text_).substr(next_, end - next_);
}

bool Scanner::at_end() {
  skip_blanks();
  return next_ == text_.size();
}

std::string_view Scanner::key() {
  skip_blanks();
  std::string_view key = peek();
  key = key.substr(0, key.find(':'));
  next_ += key.size();
  std::size_t colon = next_;
  while (colon < text_.size() && is_blank(text_[colon]) && !ends_line(text_[colon])) ++colon;
  if (colon < text_.size() && text_[colon] == ':') next_ = colon + 1;
  return key;
}

std::string_view Scanner::rest_of_line() {
  std::size_t end = next_;
  while (end < text_.size() && !ends_line(text_[end])) ++end;
  std::string_view line = std::string_view(text_).substr(next_, end - next_);
  next_ = end;
  while (!line.empty() && is_blank(line.front())) line.remove_prefix(1);
  while (!line.empty() && is_blank(line.back())) line.remove_suffix(1);
  return line;
}

std::string_view Scanner::word() {
  skip_blanks();
  const std::string_view word = peek();
  next_ += word.size();
  return word;
}

bool Scanner::at_key() const {
  const std::string_view text = std::string_view(text_).substr(next_);
  const std::size_t length = name_length(text);
  if (length == 0) return false;
  std::size_t end = length;
  while (end < text.size() && is_blank(text[end]) && !ends_line(text[end])) ++end;
  if (end < text.size() && text[end] == ':') return true;
  constexpr std::string_view section = "_SECTION";
  const std::string_view name = text.substr(0, length);
  return peek() == name && name.size() > section.size() &&
         same_word(name.substr(name.size() - section.size()), section);
}

void Scanner::skip_to_name() {
  do {
    rest_of_line();
    skip_blanks();
  } while (next_ < text_.size() && !is_letter(text_[next_]));
}

bool Scanner::integer(std::int64_t& value, const char* what) {
  skip_blanks();
  // Nearly always an integer stands there: it is taken at once.
  const char* const begin = text_.data() + next_;
  const char* const end = text_.data() + text_.size();
  const auto [stop, error] = std::from_chars(begin, end, value);
  if (error == std::errc() && (stop == end || is_blank(*stop))) {
    next_ += static_cast<std::size_t>(stop - begin);
    return true;
  }
  const std::string_view word = peek();
  if (word.empty() || keyword(word) || at_key()) return false;
  const std::optional<std::int64_t> number = to_integer(word);
  if (!number) fail(quoted(word) + " for " + what + "; expected an integer");
  value = *number;
  next_ += word.size();
  return true;
}

bool Scanner::real(double& value, const char* what) {
  skip_blanks();
  const char* const begin = text_.data() + next_;
  const char* const end = text_.data() + text_.size();
  const auto [stop, error] = std::from_chars(begin, end, value);
  if (error == std::errc() && (stop == end || is_blank(*stop)) && std::isfinite(value)) {
    next_ += static_cast<std::size_t>(stop - begin);
    return true;
  }
  const std::string_view word = peek();
  if (word.empty() || keyword(word) || at_key()) return false;
  const std::optional<double> number = to_real(word);
  if (!number) fail(quoted(word) + " for " + what + "; expected a finite number");
  value = *number;
  next_ += word.size();
  return true;
}

std::size_t Scanner::line_of_word() const {
  std::size_t line = 1;
  for (std::size_t i = 0; i < word_; ++i) {
    const bool crlf = text_[i] == '\r' && i + 1 < text_.size() && text_[i + 1] == '\n';
    line += ends_line(text_[i]) && !crlf ? 1 : 0;
  }
  return line;
}

void Scanner::remark(const std::string& message) {
  if (remarks_.size() == most_remarks) {
    ++unkept_remarks_;
  } else {
    remarks_.push_back({line_of_word(), message});
  }
}

std::vector<std::string> Scanner::remarks() const {
  std::vector<std::string> all;
  for (const auto& [line, message] : remarks_) {
    all.push_back(source_ + ", line " + std::to_string(line) + ": " + message);
  }
  if (unkept_remarks_ > 0)
    all.push_back(source_ + ": " + std::to_string(unkept_remarks_) + " more remarks of the kind");
  return all;
}

void Scanner::fail(const std::string& message) const {
  std::string text = source_ + ", line " + std::to_string(line_of_word()) + ": " + message;
  if (!remarks_.empty()) {
    text += " (line " + std::to_string(remarks_.front().line) + ": " + remarks_.front().message + ")";
  }
  throw InvalidInput(text);
}

}  // namespace rooftop::routing
