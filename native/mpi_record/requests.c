#include "requests.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "communicators.h"

struct request {
  struct request* next;
  MPI_Request handle;
  size_t first; /* of its events, where it is under way */
  int events;
  struct event pattern; /* of a persistent one */
  int persistent, active;
  MPI_Comm* makes;
  char* name;
};

struct matched {
  MPI_Message message;
  int group, source, tag;
};

enum { BUCKETS = 1024 };

static struct request* requests[BUCKETS];
static char* taken; /* by number: whether it is */
static int room, lowest;
static struct matched* messages;
static int many_messages;
static int* at_the_end; /* numbers of requests that the program has forgotten */
static int many_at_the_end;

int number_taken(void) {
  while (lowest < room && taken[lowest]) ++lowest;
  if (lowest == room) {
    const int more = room == 0 ? 64 : 2 * room;
    taken = realloc(taken, (size_t)more);
    if (taken == NULL) abort();
    memset(taken + room, 0, (size_t)(more - room));
    room = more;
  }
  taken[lowest] = 1;
  return lowest++;
}

static void set_free(int number) {
  taken[number] = 0;
  if (number < lowest) lowest = number;
}

void wait_for(int number) {
  add(WAIT)->request = number;
  set_free(number);
}

static struct request** place_of(MPI_Request handle) {
  const uint64_t mixed = (uint64_t)(uintptr_t)handle * 0x9E3779B97F4A7C15u;
  struct request** at = &requests[mixed >> 54];
  while (*at != NULL && (*at)->handle != handle) at = &(*at)->next;
  return at;
}

/* Behind those of the same handle: libraries give small sends that have left already one handle for all of them. */
static void keep(struct request request) {
  struct request** at = place_of(request.handle);
  while (*at != NULL) at = &(*at)->next;
  *at = malloc(sizeof **at);
  if (*at == NULL) abort();
  **at = request;
}

static void drop(struct request** at) {
  struct request* one = *at;
  *at = one->next;
  free(one->name);
  free(one);
}

void under_way(int events, MPI_Request request) {
  const size_t first = number_of_events() - (size_t)events;
  for (int i = 0; i < events; ++i) event_at(first + (size_t)i)->request = number_taken();
  if (events > 0) keep((struct request){.handle = request, .first = first, .events = events, .active = 1});
}

void wait_for_last(int events) {
  const size_t first = number_of_events() - (size_t)events;
  for (int i = 0; i < events; ++i) event_at(first + (size_t)i)->request = number_taken();
  for (int i = 0; i < events; ++i) wait_for(event_at(first + (size_t)i)->request);
}

void persistent(MPI_Request request) {
  keep((struct request){.handle = request, .pattern = taken_back(), .events = 1, .persistent = 1});
}

void makes(MPI_Comm* made, char* name) {
  const int number = event_at(number_of_events() - 1)->request;
  for (int bucket = 0; bucket < BUCKETS; ++bucket) {
    for (struct request* one = requests[bucket]; one != NULL; one = one->next) {
      if (!one->active || event_at(one->first)->request != number) continue;
      one->makes = made;
      one->name = name;
      return;
    }
  }
  free(name);
}

void started(MPI_Request request) {
  struct request* one = *place_of(request);
  if (one == NULL || !one->persistent) return not_simulated("MPI_Start of a request that was made before");
  if (one->pattern.partner == MPI_PROC_NULL) return;
  struct event* event = add(one->pattern.what);
  *event = one->pattern;
  event->request = number_taken();
  one->first = number_of_events() - 1;
  one->active = 1;
}

/* What was cancelled has not been. */
static void take_out(struct request* one) {
  for (int i = 0; i < one->events; ++i) {
    struct event* event = event_at(one->first + (size_t)i);
    event->what = NOTHING;
    set_free(event->request);
  }
}

static void end_of(struct request* one, const MPI_Status* status) {
  int cancelled = 0;
  one->active = 0;
  if (event_at(one->first)->what != COLLECTIVE) PMPI_Test_cancelled(status, &cancelled);
  if (cancelled) return take_out(one);
  for (int i = 0; i < one->events; ++i) {
    came(event_at(one->first + (size_t)i), status);
    wait_for(event_at(one->first + (size_t)i)->request);
  }
  if (one->makes != NULL) made_as(one->name, *one->makes);
}

/* Whether it is known who sends what an event receives. */
static int settled(const struct event* event) {
  return event->what != RECEIVE || (event->partner != MPI_ANY_SOURCE && event->tag != MPI_ANY_TAG);
}

static void wait_at_the_end(const struct request* one) {
  for (int i = 0; i < one->events; ++i) {
    const struct event* event = event_at(one->first + (size_t)i);
    if (!settled(event)) return not_simulated("MPI_Request_free of a receive from anybody that is under way");
    at_the_end = realloc(at_the_end, (size_t)(many_at_the_end + 1) * sizeof *at_the_end);
    if (at_the_end == NULL) abort();
    at_the_end[many_at_the_end++] = event->request;
  }
}

void freed(MPI_Request request, const MPI_Status* status) {
  struct request** at = place_of(request);
  if (*at == NULL) return;
  if ((*at)->active) {
    if (status != NULL) {
      end_of(*at, status);
    } else {
      wait_at_the_end(*at);
    }
  }
  drop(at);
}

void ended(MPI_Request request, const MPI_Status* status) {
  struct request** at = place_of(request);
  if (*at == NULL || !(*at)->active) return;
  end_of(*at, status);
  if (!(*at)->persistent) drop(at);
}

void wait_for_all(void) {
  for (int i = 0; i < many_at_the_end; ++i) wait_for(at_the_end[i]);
  for (int bucket = 0; bucket < BUCKETS; ++bucket) {
    for (struct request* one = requests[bucket]; one != NULL; one = one->next) {
      if (!one->active) continue;
      for (int i = 0; i < one->events; ++i) {
        const struct event* event = event_at(one->first + (size_t)i);
        if (event->what == RECEIVE) { /* a message that never came: MPI has to be told so before it ends */
          take_out(one);
          break;
        }
        wait_for(event->request);
      }
    }
  }
}

void matched(MPI_Message message, const MPI_Status* status, MPI_Comm comm) {
  if (message == MPI_MESSAGE_NO_PROC) return;
  messages = realloc(messages, (size_t)(many_messages + 1) * sizeof *messages);
  if (messages == NULL) abort();
  messages[many_messages++] = (struct matched){
      .message = message, .group = group_of(comm), .source = status->MPI_SOURCE, .tag = status->MPI_TAG};
}

int receive_of(MPI_Message message) {
  for (int at = 0; at < many_messages; ++at) {
    const struct matched one = messages[at];
    if (one.message != message) continue;
    messages[at] = messages[--many_messages];
    message_in(one.group, RECEIVE, 0, one.source, one.tag);
    return 1;
  }
  return 0;
}
