/* Loops of calls of plans, so that what a call through ctypes takes is not counted for each. */
#include <stdint.h>

typedef int (*RunPlan)(const void* plan, int32_t direction, const void* in, void* out, void* scratch, const void* last);

void run_plan(RunPlan run, const void* plan, int32_t direction, const void* in, void* out, void* scratch,
              int64_t count) {
  for (int64_t i = 0; i < count; ++i) run(plan, direction, in, out, scratch, 0);
}

void execute_plan(void (*execute)(const void* plan), const void* plan, int64_t count) {
  for (int64_t i = 0; i < count; ++i) execute(plan);
}
