// ncursesw, and the parts of it that Swift cannot reach by itself.
#pragma once

#define NCURSES_WIDECHAR 1
#include <ncurses.h>
#include <signal.h>
#include <stdint.h>
#include <term.h>

// term.h defines hundreds of short macros; none of them reaches Swift, but `lines` and `columns` would break headers
// that come after this one.
#undef lines
#undef columns

// Global variables of ncurses: Swift refuses mutable globals that it cannot see being guarded.
static inline WINDOW *cncurses_window(void) { return stdscr; }
static inline int cncurses_colours(void) { return COLORS; }
static inline int cncurses_colour_pairs(void) { return COLOR_PAIRS; }

// curscr is such a variable too: the next doupdate writes every cell.
static inline int cncurses_repaint(void) { return clearok(curscr, TRUE); }

// The attributes are macros with casts.
static inline attr_t cncurses_bold(void) { return A_BOLD; }
static inline attr_t cncurses_dim(void) { return A_DIM; }
static inline attr_t cncurses_reverse(void) { return A_REVERSE; }
static inline attr_t cncurses_underline(void) { return A_UNDERLINE; }

/// The description of `name`: 1 when it has been loaded, else the status of setupterm(3) (0 unknown, -1 no database).
static inline int cncurses_load(const char *name, int output) {
    int status = -1;
    setupterm((char *)(uintptr_t)name, output, &status);
    return status;
}

/// Frees what cncurses_load loaded (cur_term is a global variable).
static inline void cncurses_unload(void) {
    if (cur_term) del_curterm(cur_term);
}

/// A string capability by its terminfo name; NULL where there is none. tigetstr says -1 for what is no string.
static inline const char *cncurses_capability(const char *name) {
    const char *value = tigetstr((char *)(uintptr_t)name);
    return value == (char *)-1 ? NULL : value;
}

/// newterm(3), with the signals as they were: ncurses installs handlers for these four, and ours come by signalfd.
static inline SCREEN *cncurses_open(const char *name, FILE *output, FILE *input) {
    static const int numbers[] = {SIGINT, SIGTERM, SIGTSTP, SIGWINCH};
    struct sigaction before[4];
    for (int i = 0; i < 4; i++) sigaction(numbers[i], NULL, &before[i]);
    SCREEN *screen = newterm(name, output, input);
    for (int i = 0; i < 4; i++) sigaction(numbers[i], &before[i], NULL);
    return screen;
}

/// wcwidth(3), which <wchar.h> declares only for those who ask for X/Open.
static inline int cncurses_columns(wchar_t character) {
    extern int wcwidth(wchar_t);
    return wcwidth(character);
}
