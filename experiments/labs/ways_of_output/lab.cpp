/// Ways of output: which thread writes which file, with POSIX calls.
/// Writes to several files do not wait for one another; to one file they do: the kernel holds its lock while it copies.
#include <omp.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cstdlib>
#include <rooftop/lab.hpp>
#include <stdexcept>
#include <string>
#include <vector>

namespace {

constexpr std::size_t word = sizeof(std::int64_t);

/// A file that is gone when it is closed.
int temporary_file() {
  const char* folder = std::getenv("TMPDIR");
  std::string name = std::string(folder == nullptr ? "/tmp" : folder) + "/rooftop-XXXXXX";
  const int file = mkstemp(name.data());
  if (file < 0) throw std::runtime_error("cannot make a file " + name);
  unlink(name.c_str());
  return file;
}

void write_at(int file, const std::int64_t* data, std::size_t words, std::size_t place) {
  for (std::size_t done = 0; done < word * words;) {
    const auto* rest = reinterpret_cast<const char*>(data) + done;
    const ssize_t now = pwrite(file, rest, word * words - done, static_cast<off_t>(word * place + done));
    if (now <= 0) std::abort();  // the disk is full: nothing to measure
    done += static_cast<std::size_t>(now);
  }
}

/// Each thread has a part of `words` words, and there is a file for each.
class Output final : public rooftop::Lab {
 public:
  struct Parameters {
    std::int64_t words;
  };
  static constexpr std::array fields{rooftop::field<&Parameters::words>("words", 1, 1 << 28)};
  static std::vector<Parameters> checks() { return {{.words = 1}, {.words = 20'011}}; }

  Output(const Parameters& given, const rooftop::Setting& setting)
      : words(static_cast<std::size_t>(given.words)), threads(static_cast<std::size_t>(setting.threads)) {
    for (std::size_t i = 0; i < threads * words; ++i) data.push_back(static_cast<std::int64_t>(7 * i + 1));
    for (std::size_t thread = 0; thread < threads; ++thread) files.push_back(temporary_file());
  }
  ~Output() override {
    for (const int file : files) close(file);
  }

  void poison() override {
    written.clear();
    if (std::ranges::any_of(files, [](int file) { return ftruncate(file, 0) != 0; })) std::abort();
  }
  void spoil() override { written.back() += 1; }
  [[nodiscard]] rooftop::Verdict verify(std::string_view /*algorithm*/) const override {
    if (written.size() != threads * words) return rooftop::exact(std::to_string(written.size()) + " words");
    for (std::size_t i = 0; i < written.size(); ++i) {
      if (written[i] != static_cast<std::int64_t>(7 * i + 1)) return rooftop::exact("word " + std::to_string(i));
    }
    return rooftop::exact("");
  }
  [[nodiscard]] const std::int64_t* part(std::size_t thread) const { return &data[thread * words]; }

  const std::size_t words;
  const std::size_t threads;
  std::vector<std::int64_t> data;
  std::vector<int> files;
  std::vector<std::int64_t> written;  ///< the result: what the files hold, one after another
};

void one_to_one(const Output& lab) { write_at(lab.files[0], lab.data.data(), lab.data.size(), 0); }

void one_to_all(const Output& lab) {
  for (std::size_t thread = 0; thread < lab.threads; ++thread) {
    write_at(lab.files[thread], lab.part(thread), lab.words, 0);
  }
}

/// Block by block: how a master writes what comes in from all of its workers.
void one_to_all_in_turn(const Output& lab) {
  constexpr std::size_t block = 8192;  // words: 64 KiB
  for (std::size_t place = 0; place < lab.words; place += block) {
    for (std::size_t thread = 0; thread < lab.threads; ++thread) {
      write_at(lab.files[thread], lab.part(thread) + place, std::min(block, lab.words - place), place);
    }
  }
}

void all_to_all(const Output& lab) {
#pragma omp parallel for num_threads(static_cast<int>(lab.threads)) schedule(static)
  for (std::size_t thread = 0; thread < lab.threads; ++thread) {
    write_at(lab.files[thread], lab.part(thread), lab.words, 0);
  }
}

void all_to_one(const Output& lab) {
#pragma omp parallel for num_threads(static_cast<int>(lab.threads)) schedule(static)
  for (std::size_t thread = 0; thread < lab.threads; ++thread) {
    write_at(lab.files[0], lab.part(thread), lab.words, thread * lab.words);
  }
}

template <void (*way)(const Output&)>
class Writing final : public rooftop::LabRung {
 public:
  explicit Writing(Output& lab) : lab_(lab) {}
  void run() override { way(lab_); }
  void finish() override {
    lab_.written.clear();
    for (const int file : lab_.files) {
      struct stat facts {};
      if (fstat(file, &facts) != 0) continue;
      std::vector<std::int64_t> words(static_cast<std::size_t>(facts.st_size) / word);
      if (pread(file, words.data(), word * words.size(), 0) != facts.st_size) continue;
      lab_.written.insert(lab_.written.end(), words.begin(), words.end());
    }
  }

 private:
  Output& lab_;
};

template <void (*way)(const Output&)>
constexpr auto variant = rooftop::variant<Writing<way>, Output>;

}  // namespace

ROOFTOP_LAB(Output, variant<one_to_one>("10-one-to-one", "One thread writes one file."),
            variant<one_to_all>("20-one-to-all", "One thread writes a file for each, one after another."),
            variant<one_to_all_in_turn>("30-one-to-all-in-turn", "One thread writes a file for each, by turns."),
            variant<all_to_one>("40-all-to-one", "All threads write one file."),
            variant<all_to_all>("50-all-to-all", "All threads write a file each."));
