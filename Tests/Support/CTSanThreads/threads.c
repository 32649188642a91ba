#include "CNewsflashTSanThreads.h"

#include <pthread.h>
#include <stdint.h>
#include <stdlib.h>
#include <threads.h>

struct start {
    thrd_start_t function;
    void *argument;
};

static void *run(void *context) {
    struct start start = *(struct start *)context;
    free(context);
    return (void *)(intptr_t)start.function(start.argument);
}

int thrd_create(thrd_t *thread, thrd_start_t function, void *argument) {
    struct start *start = malloc(sizeof *start);
    if (start == NULL) return thrd_nomem;
    start->function = function;
    start->argument = argument;
    pthread_t made;
    if (pthread_create(&made, NULL, run, start) != 0) {
        free(start);
        return thrd_error;
    }
    *thread = (thrd_t)made;
    return thrd_success;
}

int thrd_join(thrd_t thread, int *result) {
    void *value = NULL;
    if (pthread_join((pthread_t)thread, &value) != 0) return thrd_error;
    if (result != NULL) *result = (int)(intptr_t)value;
    return thrd_success;
}

int thrd_detach(thrd_t thread) {
    return pthread_detach((pthread_t)thread) == 0 ? thrd_success : thrd_error;
}
