#pragma once
#include <sqlite3.h>

// SQLITE_TRANSIENT is a cast macro, which Swift does not import: SQLite copies what these bind. An empty value needs an
// address that is not null, or it becomes NULL.

static inline int csqlite_bind_text(sqlite3_stmt *statement, int place, const void *bytes, sqlite3_uint64 count) {
    return sqlite3_bind_text64(statement, place, bytes ? bytes : "", count, SQLITE_TRANSIENT, SQLITE_UTF8);
}

static inline int csqlite_bind_blob(sqlite3_stmt *statement, int place, const void *bytes, sqlite3_uint64 count) {
    return sqlite3_bind_blob64(statement, place, bytes ? bytes : "", count, SQLITE_TRANSIENT);
}

// sqlite3_config takes any number of arguments. Counting allocations costs a lock for each.
static inline int csqlite_leave_memory_uncounted(void) {
    return sqlite3_config(SQLITE_CONFIG_MEMSTATUS, 0);
}
