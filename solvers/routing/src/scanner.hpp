/// A TSPLIB file's text, taken word by word.
#pragma once

#include <cstddef>
#include <cstdint>
#include <iosfwd>
#include <optional>
#include <string>
#include <string_view>

namespace rooftop::routing {

/// What a message shows of input: at most 40 characters, those that are no printable ASCII as '?', in quotes.
std::string quoted(std::string_view text);

/// An integer, also one with a sign + or written as a real, such as 1.0e+02. Nothing for anything else.
std::optional<std::int64_t> to_integer(std::string_view word);

class Scanner {
 public:
  /// Reads the whole stream. Throws InvalidInput where that fails and for what is no text.
  Scanner(std::istream& in, const std::string& source);

  bool at_end();                    ///< nothing but blanks is left
  std::string_view key();           ///< the next word, which a blank or a colon ends; the colon is taken too
  std::string_view rest_of_line();  ///< without blanks around it
  std::string_view word();          ///< the next one, which a blank ends; empty at the end

  /// The next word as a number, `what` being how a message calls it. False at the text's end and at a keyword, which is
  /// not taken. Throws InvalidInput for any other word, for a real that is not finite, for integers of 64 bits.
  bool integer(std::int64_t& value, const char* what);
  bool real(double& value, const char* what);

  [[nodiscard]] std::size_t position() const { return next_; }
  void rewind(std::size_t position) { next_ = position; }
  /// Bytes not taken yet: what memory may be reserved for.
  [[nodiscard]] std::size_t left() const { return text_.size() - next_; }

  /// Throws InvalidInput that points to the last word taken, or looked at.
  [[noreturn]] void fail(const std::string& message) const;

 private:
  void load(std::istream& in);
  void skip_blanks();
  [[nodiscard]] std::string_view peek() const;

  std::string source_, text_;
  std::size_t next_ = 0;  ///< where the text not taken yet begins
  std::size_t word_ = 0;  ///< where the last word begins
};

}  // namespace rooftop::routing
