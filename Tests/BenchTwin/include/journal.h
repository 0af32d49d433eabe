// The same work on a journal's tables as CounterStore does, in C on SQLite: the reference of its measurements.
#pragma once

#include <stdint.h>

/// Appends `count` entries of the location with the key 1, `group` of them in each durable transaction: 1 as for
/// volume keys, more as for a file. Updates the projections too. Returns 0, or SQLite's error.
int twin_append(const char *path, int64_t count, int64_t group);

/// Reads every row of the journal and adds its deltas up. Returns 0, or SQLite's error.
int twin_replay(const char *path, int64_t *sum);

/// Adds up the minutes from a given one. Returns 0, or SQLite's error.
int twin_minutes(const char *path, int64_t from, int64_t to, int64_t *sum);
