// The same work on a journal's tables as CounterStore does, by the C interface of SQLite: what it is measured beside.
#pragma once

#include <stdint.h>

/// Appends `count` entries of the location with the key 1, `group` of them in each durable transaction, as volume keys
/// with 1 and a file with more do. The derived tables are kept in step. Returns 0, or SQLite's error.
int twin_append(const char *path, int64_t count, int64_t group);

/// Reads every row of the journal and adds its deltas up. Returns 0, or SQLite's error.
int twin_replay(const char *path, int64_t *sum);

/// Adds up the minutes from one on. Returns 0, or SQLite's error.
int twin_minutes(const char *path, int64_t from, int64_t to, int64_t *sum);
