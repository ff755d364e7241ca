#include "driver_process.hpp"

#include <fcntl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <csignal>
#include <cstdio>
#include <stdexcept>
#include <utility>

std::string fake_module(const std::string& name) { return std::string(FAKE_MODULES) + "/" + name + ".so"; }

DriverProcess::DriverProcess(std::vector<std::string> arguments)
    : DriverProcess(std::string(FAKE_MODULES) + "/driver", std::move(arguments)) {}

DriverProcess::DriverProcess(const std::string& program, std::vector<std::string> arguments) {
  arguments.insert(arguments.begin(), program);
  std::vector<char*> words;
  words.reserve(arguments.size() + 1);
  for (std::string& argument : arguments) words.push_back(argument.data());
  words.push_back(nullptr);
  std::array<int, 2> in{};
  std::array<int, 2> out{};
  if (pipe2(in.data(), O_CLOEXEC) != 0 || pipe2(out.data(), O_CLOEXEC) != 0) throw std::runtime_error("pipe2 failed");
  // A file, not a pipe: nobody reads it before the end, and it must not fill.
  errors_descriptor_ = open("/tmp", O_TMPFILE | O_RDWR | O_CLOEXEC, 0600);
  if (errors_descriptor_ < 0) throw std::runtime_error("no temporary file");
  std::signal(SIGPIPE, SIG_IGN);
  pid_ = fork();
  if (pid_ == 0) {
    dup2(in[0], STDIN_FILENO);
    dup2(out[1], STDOUT_FILENO);
    dup2(errors_descriptor_, STDERR_FILENO);
    execv(words[0], words.data());
    _exit(127);
  }
  close(in[0]);
  close(out[1]);
  to_ = in[1];
  from_ = out[0];
}

DriverProcess::~DriverProcess() {
  if (!status_) finish();
  close(from_);
  close(errors_descriptor_);
}

void DriverProcess::send(const std::string& line) {
  const std::string text = line + "\n";
  (void)!write(to_, text.data(), text.size());
}

std::optional<std::string> DriverProcess::receive() {
  std::array<char, 4096> buffer{};
  std::size_t end = pending_.find('\n');
  while (end == std::string::npos) {
    const ssize_t read_bytes = read(from_, buffer.data(), buffer.size());
    if (read_bytes <= 0) return std::nullopt;
    pending_.append(buffer.data(), static_cast<std::size_t>(read_bytes));
    end = pending_.find('\n');
  }
  std::string line = pending_.substr(0, end);
  pending_.erase(0, end + 1);
  return line;
}

nlohmann::json DriverProcess::ask_line(const std::string& line) {
  send(line);
  const auto reply = receive();
  if (!reply) throw std::runtime_error("the driver said nothing to " + line);
  return nlohmann::json::parse(*reply);
}

nlohmann::json DriverProcess::ask_case(int size, int threads) {
  return ask({{"op", "case"}, {"case", {{"size", size}}}, {"seed", 1}, {"threads", threads}});
}

int DriverProcess::finish() {
  if (status_) return *status_;
  close(to_);
  int status = 0;
  waitpid(pid_, &status, 0);
  std::array<char, 4096> buffer{};
  lseek(errors_descriptor_, 0, SEEK_SET);
  for (ssize_t bytes = 0; (bytes = read(errors_descriptor_, buffer.data(), buffer.size())) > 0;) {
    errors_.append(buffer.data(), static_cast<std::size_t>(bytes));
  }
  status_ = WIFEXITED(status) ? WEXITSTATUS(status) : -WTERMSIG(status);
  return *status_;
}
