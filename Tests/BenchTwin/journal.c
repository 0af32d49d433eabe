#include "journal.h"

#include <sqlite3.h>
#include <stddef.h>

enum { STEPS = 9 };

static const char *const sql[STEPS] = {
    "BEGIN IMMEDIATE",
    "SELECT max(position) FROM journal",
    "SELECT reset, start, sum, begin, latest FROM counterState JOIN segment USING (locationKey)"
    " WHERE locationKey = 1 ORDER BY begin DESC LIMIT 1",
    "INSERT INTO journal (kind, position, locationKey, userId, timestamp, receivedAt, orderedAt, isLate, deviceKey, delta,"
    " source, continuesHold, sequenceNumber, fileKey, line, text)"
    " VALUES (1, ?1, 1, NULL, ?2, ?2, ?2, NULL, 1, 1, ?5, 0, NULL, ?3, ?4, NULL)",
    "UPDATE segment SET sum = sum + ?1 WHERE locationKey = 1 AND begin = -9223372036854775808 AND reset = 0",
    "UPDATE counterState SET level = level + ?1, lastUpdated = ?2, updateOrder = ?2, lastEventAt = ?2, eventOrder = ?2,"
    " latest = ?2, position = ?3"
    " WHERE locationKey = 1",
    "INSERT INTO rollup VALUES (1, 0, ?1, ?2, 0, 0, 0, 0, 1, 0, ?3, 0) ON CONFLICT DO UPDATE SET ins = ins + ?2,"
    " last = ?3",
    "UPDATE device SET lastSeenAt = ?1 WHERE key = 1",
    "COMMIT",
};

enum step { BEGIN, POSITION, LEVEL, ENTRY, SEGMENT, STATE, ROLLUP, DEVICE, COMMIT };

static int run(sqlite3_stmt *statement, int count, const int64_t *values) {
    for (int index = 0; index < count; index++) sqlite3_bind_int64(statement, index + 1, values[index]);
    int result = sqlite3_step(statement);
    sqlite3_reset(statement);
    return result == SQLITE_DONE || result == SQLITE_ROW ? SQLITE_OK : result;
}

static int open_journal(const char *path, sqlite3 **database) {
    int result = sqlite3_open_v2(path, database, SQLITE_OPEN_READWRITE, NULL);
    if (result != SQLITE_OK) return result;
    return sqlite3_exec(*database, "PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL; PRAGMA foreign_keys = ON", NULL, NULL, NULL);
}

static int append_group(sqlite3_stmt *const *steps, int64_t first, int64_t count) {
    int64_t time = 0;
    int result = run(steps[BEGIN], 0, NULL);
    // The next position, and the level for the answer.
    if (result == SQLITE_OK) result = run(steps[POSITION], 0, NULL);
    if (result == SQLITE_OK) result = run(steps[LEVEL], 0, NULL);
    for (int64_t number = first; number < first + count && result == SQLITE_OK; number++) {
        time = number * 1000000;
        // A line of a file has a number; a key press has none.
        sqlite3_bind_int64(steps[ENTRY], 5, count > 1 ? 3 : 1);
        if (count > 1) sqlite3_bind_int64(steps[ENTRY], 3, 1), sqlite3_bind_int64(steps[ENTRY], 4, number);
        result = run(steps[ENTRY], 2, (int64_t[]){number, time});
        // A minute has 60 of them.
        if (result == SQLITE_OK && (number % 60 == 59 || number == first + count - 1))
            result = run(steps[ROLLUP], 3, (int64_t[]){number / 60, number % 60 + 1, time});
    }
    if (result == SQLITE_OK) result = run(steps[SEGMENT], 1, &count);
    if (result == SQLITE_OK) result = run(steps[STATE], 3, (int64_t[]){count, time, first + count - 1});
    if (result == SQLITE_OK) result = run(steps[DEVICE], 1, &time);
    return result == SQLITE_OK ? run(steps[COMMIT], 0, NULL) : result;
}

int twin_append(const char *path, int64_t count, int64_t group) {
    sqlite3 *database;
    sqlite3_stmt *steps[STEPS] = {NULL};
    int result = open_journal(path, &database);
    if (result == SQLITE_OK && group > 1)
        result = sqlite3_exec(database, "INSERT INTO file (key, hash) VALUES (1, 'twin')", NULL, NULL, NULL);
    for (int step = 0; step < STEPS && result == SQLITE_OK; step++)
        result = sqlite3_prepare_v2(database, sql[step], -1, &steps[step], NULL);
    // The journal already has one entry, so the device is known.
    for (int64_t done = 0; done < count && result == SQLITE_OK; done += group)
        result = append_group(steps, done + 2, count - done < group ? count - done : group);
    for (int step = 0; step < STEPS; step++) sqlite3_finalize(steps[step]);
    sqlite3_close(database);
    return result;
}

static int sum_rows(const char *path, const char *query, const int64_t *values, int count, int columns, int64_t *sum) {
    sqlite3 *database;
    sqlite3_stmt *rows = NULL;
    int result = open_journal(path, &database);
    if (result == SQLITE_OK) result = sqlite3_prepare_v2(database, query, -1, &rows, NULL);
    for (int index = 0; index < count; index++) sqlite3_bind_int64(rows, index + 1, values[index]);
    *sum = 0;
    while (result == SQLITE_OK && sqlite3_step(rows) == SQLITE_ROW)
        for (int column = 0; column < columns; column++) *sum += sqlite3_column_int64(rows, column);
    sqlite3_finalize(rows);
    sqlite3_close(database);
    return result;
}

int twin_replay(const char *path, int64_t *sum) {
    return sum_rows(
        path,
        "SELECT position, orderedAt, kind, locationKey, deviceKey, timestamp, receivedAt, delta, sequenceNumber, value"
        " FROM journal WHERE isLate IS NULL ORDER BY position",
        NULL, 0, 10, sum);
}

int twin_minutes(const char *path, int64_t from, int64_t to, int64_t *sum) {
    return sum_rows(
        path, "SELECT * FROM rollup WHERE locationKey = 1 AND reset = 0 AND minute BETWEEN ? AND ?",
        (int64_t[]){from, to}, 2, 12, sum);
}
