// Fuzzes HDF5 files with damaged metadata: chunk indexes, filters, links, types and sizes. Reads and writes must return
// values or an error of one line, and must not access memory beyond the caller's.
//
// The HDF5 library itself crashes on such files. Each input is therefore tried in another process first. If that ends
// in a call of the library, the input is counted and skipped; otherwise it is tried in this process.
#include <hdf5.h>
#include <unistd.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <draw.hpp>
#include <fstream>
#include <new>
#include <string>
#include <vector>

#include "beside.hpp"
#include "rooftop/h5io.hpp"
#include "sound_images.hpp"

// Stacks have modules only, which is enough to attribute them. Symbols would take a second for each stack.
extern "C" const char* __asan_default_options() {
  return "symbolize=0:allocator_may_return_null=1:max_allocation_size_mb=64:detect_leaks=0:handle_abort=0";
}

namespace {

using rooftop::fuzzing::Draw;
namespace h5io = rooftop::h5io;
namespace tests = rooftop::h5io::tests;

constexpr std::uint64_t most_bytes = 1 << 20;  // the largest dataset that is read as a whole
constexpr std::size_t most_datasets = 6, most_input = 4096;

const std::vector<tests::SoundImage>& images() {
  static const std::vector<tests::SoundImage> all = tests::sound_images();
  return all;
}

/// Returns an image with changed bytes, mostly those of one number. The checksums are mostly corrected.
std::vector<std::uint8_t> mutated(Draw& draw) {
  const tests::SoundImage& sound = images()[draw.below(static_cast<unsigned>(images().size()))];
  std::vector<std::uint8_t> bytes = sound.bytes;
  const unsigned edits = draw.below(4);
  for (unsigned i = 0; i <= edits && !draw.empty(); ++i) {
    const std::size_t at = sound.places[draw.within<std::size_t>(0, sound.places.size() - 1)];
    const std::size_t width = std::min<std::size_t>(std::size_t{1} << draw.below(4), bytes.size() - at);
    std::uint64_t number = 0;
    for (std::size_t b = width; b-- > 0;) number = number << 8 | bytes[at + b];
    switch (draw.below(6)) {
      case 0:
        number = draw.byte();
        break;
      case 1:
        number ^= std::uint64_t{1} << draw.below(64);
        break;
      case 2:
        number += draw.within<std::uint64_t>(0, 16) - 8;
        break;
      case 3:
        number = draw.wild<std::uint64_t>();
        break;
      case 4:
        number = draw.within<std::uint64_t>(0, bytes.size() + 64);
        break;
      default: {
        // The value of another place: an address, or a message of another kind.
        const std::size_t from = sound.places[draw.within<std::size_t>(0, sound.places.size() - 1)];
        number = 0;
        for (std::size_t b = std::min(width, bytes.size() - from); b-- > 0;) number = number << 8 | bytes[from + b];
      }
    }
    for (std::size_t b = 0; b < width; ++b) bytes[at + b] = static_cast<std::uint8_t>(number >> (8 * b));
  }
  if (!draw.rarely(8)) tests::check_again(sound, bytes);
  if (draw.rarely(16)) bytes.resize(draw.within<std::size_t>(0, bytes.size()));
  return bytes;
}

void write_file(const std::string& path, const std::vector<std::uint8_t>& bytes) {
  std::ofstream file(path, std::ios::binary | std::ios::trunc);
  file.write(reinterpret_cast<const char*>(bytes.data()), static_cast<std::streamsize>(bytes.size()));
}

/// Returns a selection that fits: everything, or every other row, of a small dataset; one element of a large one.
std::vector<h5io::Span> selection(const h5io::Description& description, Draw& draw) {
  std::uint64_t bytes = description.element_bytes;
  for (const std::uint64_t extent : description.shape) bytes = bytes > most_bytes ? bytes : bytes * extent;
  const bool strided = draw.below(3) == 0;
  std::vector<h5io::Span> spans;
  for (const std::uint64_t extent : description.shape) {
    if (bytes > most_bytes) {
      spans.push_back({extent / 2, extent > 0 ? 1U : 0U, 1, 1});
    } else if (strided && extent > 1) {
      spans.push_back({1, extent / 2, 2, 1});
    } else {
      spans.push_back({0, 1, 1, extent});
    }
  }
  return spans;
}

std::uint64_t bytes_of(const std::vector<h5io::Span>& spans, std::uint64_t element_bytes) {
  for (const h5io::Span& span : spans) element_bytes *= span.size();
  return element_bytes;
}

void read_dataset(const h5io::Dataset& dataset, Draw& draw) {
  const auto spans = selection(dataset.description(), draw);
  const std::uint64_t bytes = bytes_of(spans, dataset.description().element_bytes);
  if (bytes > 4 * most_bytes) return;
  std::vector<std::uint8_t> values(bytes);
  h5io::Options options;
  options.threads = 1;
  options.library = draw.below(4) == 0;
  dataset.read(spans, values.data(), values.size(), options);
}

void write_dataset(const h5io::OutputDataset& dataset, Draw& draw) {
  const auto spans = selection(dataset.description(), draw);
  const std::uint64_t bytes = bytes_of(spans, dataset.description().element_bytes);
  if (bytes > 4 * most_bytes) return;
  const std::vector<std::uint8_t> values(bytes, 3);
  h5io::Options options;
  options.threads = 1;
  dataset.write(spans, values.data(), values.size(), options);
}

/// Calls `thing`, which may throw the documented exceptions only.
template <typename Do>
void tried(const Do& thing) {
  try {
    thing();
  } catch (const h5io::FileError& error) {
    if (*error.what() == '\0') std::abort();
  } catch (const h5io::InvalidArgument&) {
  } catch (const std::bad_alloc&) {
  }
}

void use(const std::uint8_t* data, std::size_t size) {
  static const std::string path = "/dev/shm/rooftop-fuzz-" + std::to_string(getpid()) + ".h5";
  Draw draw(data, size);
  const bool writes = draw.below(4) == 0;
  write_file(path, mutated(draw));
  tried([&] {
    std::vector<std::string> names;
    {
      const h5io::File file(path);
      tried([&] { names = file.datasets(); });
      names.resize(std::min(names.size(), most_datasets));
      for (const char* link : {"soft", "external", "hard"}) names.emplace_back(link);
      for (const std::string& name : names) tried([&] { read_dataset(file.dataset(name), draw); });
    }
    if (!writes) return;
    h5io::OutputFile file = h5io::OutputFile::existing(path);
    for (const std::string& name : names) tried([&] { write_dataset(file.dataset(name), draw); });
    tried([&] { file.close(); });
  });
  unlink(path.c_str());
}

/// Counts inputs that ended inside the library, and prints the number at exit.
class Count {
 public:
  Count() = default;
  Count(const Count&) = delete;
  Count& operator=(const Count&) = delete;
  ~Count() { std::fprintf(stderr, "stat::inputs_that_broke_the_library: %llu\n", count_); }
  void operator++() { ++count_; }

 private:
  unsigned long long count_ = 0;
};

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  static Count broken;
  static tests::Beside beside(most_input, use);
  static const bool prepared = [] {
    H5dont_atexit();  // its exit handler crashes as well after a damaged file
    images();
    return true;
  }();
  (void)prepared;
  if (size > most_input) return 0;
  switch (beside.run(data, size)) {
    case tests::Came::whole:
      use(data, size);
      break;
    case tests::Came::by_library:
      ++broken;
      break;
    case tests::Came::by_us:
      std::fprintf(stderr, "%s\n", beside.said().c_str());
      std::abort();
  }
  return 0;
}
