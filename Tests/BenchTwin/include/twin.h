// A minimal program that reports each key press to another: the reference of measurements of `counter-keys`.
#pragma once

#include "journal.h"

#include <stdint.h>
#include <sys/types.h>

/// A process that reads a node, and this end of the socket to it.
struct twin {
    pid_t process;
    int socket;
    /// The kernel's stamp of the last press that was reported, in microseconds of CLOCK_MONOTONIC; shared with the
    /// process.
    int64_t *stamp;
};

/// Starts the process. It writes one byte into the socket once it listens, and one for each key that goes down. It
/// ends when this end of the socket is closed. Returns -1, with errno set, if it cannot be started.
int twin_start(const char *node, struct twin *twin);

/// Ends the process and waits for it.
void twin_end(struct twin *twin);
