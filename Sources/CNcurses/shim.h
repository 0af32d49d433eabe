// ncurses(3X) with wide characters, and the parts of it that Swift cannot use: macros, global variables, and what
// glibc declares only with _GNU_SOURCE.
#pragma once

// Without it curses.h hides cchar_t and all functions that take one.
#define NCURSES_WIDECHAR 1
#include <curses.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <term.h>

// term.h defines hundreds of short macros; none of them reaches Swift, but `lines` and `columns` would break headers
// that come after this one.
#undef lines
#undef columns

/// memfd_create(2): a file in memory, as a stream that owns it; NULL with errno.
static inline FILE *cncurses_memory(void) {
    extern int memfd_create(const char *, unsigned);
    const unsigned close_on_exec = 1;
    int descriptor = memfd_create("screen", close_on_exec);
    return descriptor < 0 ? NULL : fdopen(descriptor, "r+");
}

static inline void cncurses_hear_nothing(int number) { (void)number; }

/// newterm(3X) on `memory`, without contact to the real terminal. NULL if the terminal type is unknown. newterm
/// installs its signal handlers only where the action is the default, so another is set meanwhile: otherwise each
/// doupdate(3X) would also discard a pending SIGTSTP.
static inline SCREEN *cncurses_open(const char *type, FILE *memory) {
    enum { COUNT = 4 };
    static const int numbers[COUNT] = {SIGINT, SIGTERM, SIGTSTP, SIGWINCH};
    struct sigaction before[COUNT], other = {.sa_handler = cncurses_hear_nothing};
    for (int i = 0; i < COUNT; i++) sigaction(numbers[i], &other, &before[i]);
    // Ignores LINES and COLUMNS, which may be a shell's. Without a size in terminfo the screen is 80 by 24, instead
    // of an error.
    use_env(false);
    use_tioctl(true);
    SCREEN *screen = newterm((char *)(uintptr_t)type, memory, stdin);
    for (int i = 0; i < COUNT; i++) sigaction(numbers[i], &before[i], NULL);
    return screen;
}

/// Sets the options of the screen that cncurses_open has made. The cursor stays where drawing leaves it.
static inline void cncurses_begin(void) {
    // Keys are read elsewhere: typed input must not interrupt a drawing.
    typeahead(-1);
    // Makes key_defined(3X) know the terminal's keys.
    keypad(stdscr, true);
    leaveok(stdscr, true);
    idcok(stdscr, false);
}

/// Whether a character in the lower right corner would scroll the screen, because wrapping cannot be switched off.
/// ncurses then writes it one cell to the left and shifts it into place.
static inline bool cncurses_shifts_into_last_cell(void) {
    return auto_right_margin && !(enter_am_mode && exit_am_mode);
}

/// Leaves the cursor in a cell after each drawing, for terminals that cannot hide it.
static inline void cncurses_rest(int row, int column) {
    leaveok(stdscr, false);
    wmove(stdscr, row, column);
}

/// mvadd_wchnstr(3X), a macro: writes cells into a row. cncurses_draw shows them.
static inline void cncurses_put(int row, int column, const cchar_t *cells, int count) {
    mvwadd_wchnstr(stdscr, row, column, cells, count);
}

/// Writes what has changed since the last call.
static inline void cncurses_draw(void) {
    wnoutrefresh(stdscr);
    doupdate();
}

/// Makes the next cncurses_draw clear the screen and write everything.
static inline void cncurses_forget(void) { clearok(curscr, true); }

/// COLORS and COLOR_PAIRS, after start_color(3X).
static inline int cncurses_colours(void) { return COLORS; }
static inline int cncurses_colour_pairs(void) { return COLOR_PAIRS; }

static const attr_t cncurses_bold = WA_BOLD;
static const attr_t cncurses_dim = WA_DIM;
static const attr_t cncurses_reverse = WA_REVERSE;
static const attr_t cncurses_underline = WA_UNDERLINE;

/// A string capability of the terminal by its terminfo name; NULL if there is none. tigetstr(3X) returns -1 for a
/// capability that is no string.
static inline const char *cncurses_string(const char *name) {
    const char *value = tigetstr((char *)(uintptr_t)name);
    return value == (char *)-1 ? NULL : value;
}
