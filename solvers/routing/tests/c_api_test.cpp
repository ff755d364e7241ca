// The C interface: its sequence, its statuses and messages.
#include <gtest/gtest.h>

#include <chrono>
#include <limits>
#include <string>
#include <thread>
#include <vector>

#include "in_a_fork.hpp"
#include "rooftop/routing.h"

extern "C" int rooftop_routing_c_caller(void);

namespace {

TEST(CInterface, WorksFromC) { EXPECT_EQ(rooftop_routing_c_caller(), 0); }

TEST(CInterface, SaysItsVersion) { EXPECT_EQ(rooftop_routing_abi_version(), ROOFTOP_ROUTING_ABI_VERSION); }

void expect_refused(int status, const std::string& part) {
  EXPECT_EQ(status, ROOFTOP_ROUTING_INVALID_ARGUMENT);
  EXPECT_NE(std::string(rooftop_routing_last_error()).find(part), std::string::npos) << rooftop_routing_last_error();
}

TEST(CInterface, RefusesWhatIsNoProblem) {
  const std::vector<double> x{0, 1, 2e9};
  auto* problem = reinterpret_cast<rooftop_routing_problem*>(1);
  expect_refused(rooftop_routing_problem_in_plane(3, x.data(), x.data(), &problem), "x of city 2");
  EXPECT_EQ(problem, nullptr);
  expect_refused(rooftop_routing_problem_in_plane(2, x.data(), x.data(), &problem), "cities is 2");
  expect_refused(rooftop_routing_problem_in_plane(3, nullptr, x.data(), &problem), "x is null");
  expect_refused(rooftop_routing_problem_of_matrix(3, nullptr, &problem), "matrix is null");
  expect_refused(rooftop_routing_problem_read("/nonexistent/file.tsp", &problem), "/nonexistent/file.tsp");
  expect_refused(rooftop_routing_problem_read(nullptr, &problem), "path is null");
}

TEST(CInterface, RefusesADistanceWithoutAnOpposite) {
  std::vector<int32_t> matrix{0, 5, 5, 5, 0, 5, 5, std::numeric_limits<int32_t>::min(), 0};
  rooftop_routing_problem* problem = nullptr;
  expect_refused(rooftop_routing_problem_of_matrix(3, matrix.data(), &problem), "from city 2 to city 1 is -2147483648");
  matrix[7] = -std::numeric_limits<int32_t>::max();
  ASSERT_EQ(rooftop_routing_problem_of_matrix(3, matrix.data(), &problem), 0);
  const int32_t* kept = rooftop_routing_problem_matrix(problem);
  ASSERT_NE(kept, nullptr);
  EXPECT_EQ(std::vector<int32_t>(kept, kept + 9), matrix);
  EXPECT_STREQ(rooftop_routing_problem_metric(problem), "EXPLICIT");
  rooftop_routing_problem_destroy(problem);
  EXPECT_EQ(rooftop_routing_problem_matrix(nullptr), nullptr);
  EXPECT_EQ(rooftop_routing_problem_metric(nullptr), nullptr);
}

TEST(CInterface, SaysWhatItsDistancesAre) {
  const std::vector<double> x{0, 3, 0};
  rooftop_routing_problem* problem = nullptr;
  ASSERT_EQ(rooftop_routing_problem_in_plane(3, x.data(), x.data(), &problem), 0);
  EXPECT_STREQ(rooftop_routing_problem_metric(problem), "EUC_2D");
  EXPECT_EQ(rooftop_routing_problem_matrix(problem), nullptr);
  rooftop_routing_problem_destroy(problem);
}

TEST(CInterface, RefusesOptionsOutOfRange) {
  const std::vector<double> x{0, 3, 0}, y{0, 0, 4};
  rooftop_routing_problem* problem = nullptr;
  ASSERT_EQ(rooftop_routing_problem_in_plane(3, x.data(), y.data(), &problem), 0);
  rooftop_routing_solution* solution = nullptr;
  rooftop_routing_options options;
  rooftop_routing_default_options(&options);
  options.seconds = 0;
  expect_refused(rooftop_routing_solve(problem, &options, &solution), "seconds");
  options.seconds = 1;
  options.threads = -1;
  expect_refused(rooftop_routing_solve(problem, &options, &solution), "threads");
  options.threads = 0;
  options.iterations = -1;
  expect_refused(rooftop_routing_solve(problem, &options, &solution), "iterations");
  expect_refused(rooftop_routing_solve(nullptr, &options, &solution), "problem is null");
  rooftop_routing_problem_destroy(problem);
  rooftop_routing_problem_destroy(nullptr);
  rooftop_routing_solution_destroy(nullptr);
}

TEST(CInterface, ReadsTextsAndBeginsWithATour) {
  const std::string file =
      "type: tsp\ndimension: 4\nbest: 7\nedge_weight_type: euc_2d\nnode_coord_section\n1 0 0\n2 3 3\n3 3 0\n4 0 3\n";
  const auto size = [](const std::string& text) { return static_cast<int64_t>(text.size()); };
  rooftop_routing_problem* problem = nullptr;
  expect_refused(rooftop_routing_problem_of_text(nullptr, 0, "name", &problem), "text is null");
  expect_refused(rooftop_routing_problem_of_text("", 0, nullptr, &problem), "source is null");
  expect_refused(rooftop_routing_problem_of_text("", -1, "name", &problem), "size is -1");
  expect_refused(rooftop_routing_problem_of_text("", 0, "name", &problem), "name, line 1: empty");
  EXPECT_EQ(rooftop_routing_problem_remarks(nullptr), nullptr);
  ASSERT_EQ(rooftop_routing_problem_of_text(file.data(), size(file), "four.tsp", &problem), 0);
  EXPECT_STREQ(rooftop_routing_problem_remarks(problem), "four.tsp, line 3: the keyword 'best' is unknown and skipped");
  std::vector<int32_t> order(4, -1);
  const auto tour_of = [&](const std::string& text, int32_t* into) {
    return rooftop_routing_problem_tour_of_text(problem, text.data(), size(text), "t", into);
  };
  expect_refused(tour_of("type: tour\ntour_section\n1 2 3\n-1\n", order.data()), "a tour of 3 cities; expected the");
  expect_refused(tour_of("type: tour\ntour_section\n1 2 2 4\n-1\n", order.data()),
                 "t, line 3: TOUR_SECTION has city 2");
  expect_refused(tour_of("", nullptr), "order is null");
  ASSERT_EQ(tour_of("type: tour\ntour_section\n3 1 4 2\n-1\n", order.data()), 0);
  EXPECT_EQ(order, (std::vector<int32_t>{2, 0, 3, 1}));
  rooftop_routing_options options;
  rooftop_routing_default_options(&options);
  EXPECT_EQ(options.initial, nullptr);
  options.initial = order.data();
  rooftop_routing_solution* solution = nullptr;
  ASSERT_EQ(rooftop_routing_solve(problem, &options, &solution), 0);
  rooftop_routing_result result;
  ASSERT_EQ(rooftop_routing_solution_result(solution, &result), 0);
  EXPECT_EQ(result.length, 12);
  rooftop_routing_solution_destroy(solution);
  order[0] = 3;
  expect_refused(rooftop_routing_solve(problem, &options, &solution), "the initial tour has city 3 twice");
  rooftop_routing_problem_destroy(problem);
}

TEST(CInterface, SolutionsOutliveTheirProblem) {
  const std::vector<double> x{0, 3, 0}, y{0, 0, 4};
  rooftop_routing_problem* problem = nullptr;
  ASSERT_EQ(rooftop_routing_problem_in_plane(3, x.data(), y.data(), &problem), 0);
  rooftop_routing_solution* solution = nullptr;
  ASSERT_EQ(rooftop_routing_solve(problem, nullptr, &solution), 0);
  rooftop_routing_problem_destroy(problem);
  rooftop_routing_result result;
  ASSERT_EQ(rooftop_routing_solution_result(solution, &result), 0);
  EXPECT_EQ(result.length, 12);
  EXPECT_EQ(result.order[0] + result.order[1] + result.order[2], 3);
  expect_refused(rooftop_routing_solution_write(solution, "name", "/nonexistent/tour"), "cannot be written");
  expect_refused(rooftop_routing_solution_write(solution, "two\nlines", "/dev/null"), "without line breaks");
  rooftop_routing_solution_destroy(solution);
}

struct Shown {
  std::vector<int64_t> lengths;
  const rooftop_routing_problem* problem;
};

void note(const rooftop_routing_progress* progress, const int32_t* order, void* with) {
  auto& shown = *static_cast<Shown*>(with);
  int64_t length = 0;
  EXPECT_EQ(rooftop_routing_problem_length(shown.problem, order, &length), 0);
  EXPECT_EQ(length, progress->length);
  shown.lengths.push_back(length);
}

TEST(CInterface, ShowsTours) {
  std::vector<double> x, y;
  for (int i = 0; i < 200; ++i) x.push_back(i * i * 7919 % 1009), y.push_back(i * 104'729 % 997);
  rooftop_routing_problem* problem = nullptr;
  ASSERT_EQ(rooftop_routing_problem_in_plane(200, x.data(), y.data(), &problem), 0);
  Shown shown{{}, problem};
  rooftop_routing_options options;
  rooftop_routing_default_options(&options);
  EXPECT_EQ(options.show, nullptr);
  EXPECT_EQ(options.show_every, 1);
  options.iterations = 300;
  options.show = note;
  options.show_every = 0;
  options.show_with = &shown;
  rooftop_routing_solution* solution = nullptr;
  ASSERT_EQ(rooftop_routing_solve(problem, &options, &solution), 0);
  rooftop_routing_result result;
  ASSERT_EQ(rooftop_routing_solution_result(solution, &result), 0);
  ASSERT_FALSE(shown.lengths.empty());
  EXPECT_EQ(shown.lengths.back(), result.length);
  rooftop_routing_solution_destroy(solution);
  options.show_every = -1;
  expect_refused(rooftop_routing_solve(problem, &options, &solution), "show_every");
  rooftop_routing_problem_destroy(problem);
}

TEST(CInterface, WorksInAForkOfAProcessThatUsedIt) {
  if (!ROOFTOP_FORKS) GTEST_SKIP() << "the thread sanitizer lets no thread start there";
  std::vector<double> x, y;
  for (int i = 0; i < 300; ++i) x.push_back(i * i * 7919 % 1009), y.push_back(i * 104'729 % 997);
  rooftop_routing_problem* problem = nullptr;
  ASSERT_EQ(rooftop_routing_problem_in_plane(300, x.data(), y.data(), &problem), 0);
  rooftop_routing_options options;
  rooftop_routing_default_options(&options);
  options.threads = 2;
  options.iterations = 200;
  const auto tour_length = [&] {
    rooftop_routing_solution* solution = nullptr;
    rooftop_routing_result result{};
    EXPECT_EQ(rooftop_routing_solve(problem, &options, &solution), 0);
    EXPECT_EQ(rooftop_routing_solution_result(solution, &result), 0);
    rooftop_routing_solution_destroy(solution);
    return result.length;
  };
  const int64_t before = tour_length();
  const auto message_is_kept = [&] {
    rooftop_routing_options wrong = options;
    wrong.threads = -1;
    rooftop_routing_solution* solution = nullptr;
    return rooftop_routing_solve(problem, &wrong, &solution) == ROOFTOP_ROUTING_INVALID_ARGUMENT &&
           std::string(rooftop_routing_last_error()).find("threads is -1") != std::string::npos;
  };
  EXPECT_TRUE(rooftop::c_interface::right_in_a_fork([&] { return tour_length() == before && message_is_kept(); }));
  EXPECT_EQ(tour_length(), before);
  rooftop_routing_problem_destroy(problem);
}

TEST(CInterface, AFlagThatAnotherThreadSetsEndsASearch) {
  std::vector<double> x, y;
  for (int i = 0; i < 300; ++i) x.push_back(i * i * 7919 % 1009), y.push_back(i * 104'729 % 997);
  rooftop_routing_problem* problem = nullptr;
  ASSERT_EQ(rooftop_routing_problem_in_plane(300, x.data(), y.data(), &problem), 0);
  rooftop_routing_options options;
  rooftop_routing_default_options(&options);
  EXPECT_EQ(options.stop, nullptr);
  int32_t stop = 0;
  options.stop = &stop;
  options.seconds = 3600;
  std::thread other([&stop] {
    std::this_thread::sleep_for(std::chrono::milliseconds(50));
    __atomic_store_n(&stop, 1, __ATOMIC_RELAXED);
  });
  rooftop_routing_solution* solution = nullptr;
  EXPECT_EQ(rooftop_routing_solve(problem, &options, &solution), 0);
  other.join();
  rooftop_routing_result result{};
  EXPECT_EQ(rooftop_routing_solution_result(solution, &result), 0);
  EXPECT_EQ(result.cities, 300);
  EXPECT_LT(result.seconds, 600);
  rooftop_routing_solution_destroy(solution);
  rooftop_routing_problem_destroy(problem);
}

}  // namespace
