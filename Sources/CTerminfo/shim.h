// terminfo(5), the database of terminals, and the parts of it that Swift cannot reach by itself.
#pragma once

#include <curses.h>
#include <stdint.h>
#include <term.h>

// term.h defines hundreds of short macros; none of them reaches Swift, but `lines` and `columns` would break headers
// that come after this one.
#undef lines
#undef columns

/// The description of `name`: 1 when it has been loaded, else the status of setupterm(3) (0 unknown, -1 no database).
static inline int cterminfo_load(const char *name, int output) {
    int status = -1;
    setupterm((char *)(uintptr_t)name, output, &status);
    return status;
}

/// Frees what cterminfo_load loaded (cur_term is a global variable, which Swift refuses).
static inline void cterminfo_unload(void) {
    if (cur_term) del_curterm(cur_term);
}

/// A string capability by its terminfo name; NULL where there is none. tigetstr says -1 for what is no string.
static inline const char *cterminfo_string(const char *name) {
    const char *value = tigetstr((char *)(uintptr_t)name);
    return value == (char *)-1 ? NULL : value;
}

/// A numeric capability by its terminfo name; negative where there is none.
static inline int cterminfo_number(const char *name) { return tigetnum((char *)(uintptr_t)name); }

/// Whether the terminal has a capability that it has or has not, by its terminfo name.
static inline bool cterminfo_flag(const char *name) { return tigetflag((char *)(uintptr_t)name) == 1; }

/// A capability with its parameters put in; tiparm(3) is variadic. Valid until the next call.
static inline const char *cterminfo_expand(const char *format, int first, int second) {
    return tiparm(format, first, second);
}
