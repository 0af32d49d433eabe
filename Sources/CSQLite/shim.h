// SQLite, and the parts of its interface that Swift cannot call.
#pragma once

#include <sqlite3.h>

/// Binds a text, which SQLite copies at once. SQLITE_TRANSIENT is a cast of an integer to a function pointer, which Swift does
/// not import.
static inline int csqlite_bind_copied_text(sqlite3_stmt *statement, int index, const char *bytes, sqlite3_uint64 count) {
    return sqlite3_bind_text64(statement, index, bytes, count, SQLITE_TRANSIENT, SQLITE_UTF8);
}

// sqlite3_config and sqlite3_db_config are variadic.

/// Makes SQLite count no memory (SQLITE_CONFIG_MEMSTATUS). Without effect once the process has used SQLite.
static inline int csqlite_count_no_memory(void) { return sqlite3_config(SQLITE_CONFIG_MEMSTATUS, 0); }

/// Sets one of the options SQLITE_DBCONFIG_… of a connection on or off.
static inline int csqlite_configure(sqlite3 *database, int option, int is_on) {
    return sqlite3_db_config(database, option, is_on, (int *)0);
}
