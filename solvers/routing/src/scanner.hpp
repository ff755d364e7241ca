/// A TSPLIB file's text, taken word by word. A word that begins with # begins a comment, up to the end of its line.
#pragma once

#include <cstddef>
#include <cstdint>
#include <iosfwd>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace rooftop::routing {

/// What a message shows of input: at most 40 characters, those that are no printable ASCII as '?', in quotes.
std::string quoted(std::string_view text);

/// An integer, also one with a sign + or written as a real, such as 1.0e+02. Nothing for anything else.
std::optional<std::int64_t> to_integer(std::string_view word);

/// Whether a word can be a keyword: a letter, then letters, digits and _.
bool is_name(std::string_view word);

class Scanner {
 public:
  /// Reads the whole stream. Throws InvalidInput where that fails and for what is no text.
  Scanner(std::istream& in, const std::string& source);

  bool at_end();                    ///< nothing but blanks and comments is left
  std::string_view key();           ///< the next word, which a blank or a colon ends; the colon is taken too
  std::string_view rest_of_line();  ///< without blanks around it
  std::string_view word();          ///< the next one, which a blank ends; empty at the end

  /// Whether an entry or a section begins here, with a keyword that is known or not: a name with a colon after it, or
  /// one that ends in _SECTION.
  [[nodiscard]] bool at_key() const;
  /// To the next line that begins with a letter, or to the end.
  void skip_to_name();

  /// The next word as a number, `what` being how a message calls it. False at the text's end and at a key, which is
  /// not taken. Throws InvalidInput for any other word, for a real that is not finite, for integers of 64 bits.
  bool integer(std::int64_t& value, const char* what);
  bool real(double& value, const char* what);

  /// Where the text not taken yet begins, and the last word.
  struct Position {
    std::size_t next, word;
  };
  [[nodiscard]] Position position() const { return {next_, word_}; }
  void rewind(Position position) { next_ = position.next, word_ = position.word; }
  /// Bytes not taken yet: what memory may be reserved for.
  [[nodiscard]] std::size_t left() const { return text_.size() - next_; }

  /// Keeps what is to be told of the last word taken: the source, its line, and `message`. Of more than a few, how
  /// many.
  void remark(const std::string& message);
  [[nodiscard]] std::vector<std::string> remarks() const;

  /// Throws InvalidInput that points to the last word taken, or looked at, and names the first remark.
  [[noreturn]] void fail(const std::string& message) const;

 private:
  void load(std::istream& in);
  void skip_blanks();
  [[nodiscard]] std::string_view peek() const;
  [[nodiscard]] std::size_t line_of_word() const;

  std::string source_, text_;
  std::size_t next_ = 0;  ///< where the text not taken yet begins
  std::size_t word_ = 0;  ///< where the last word begins
  struct Remark {
    std::size_t line;
    std::string message;
  };
  std::vector<Remark> remarks_;
  std::size_t unkept_remarks_ = 0;
};

}  // namespace rooftop::routing
