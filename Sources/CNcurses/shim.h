// ncurses(3X) with wide characters, and the parts of it that Swift cannot reach: macros, global variables, and what glibc
// declares only for those who ask for GNU.
#pragma once

// Otherwise curses.h hides cchar_t and whatever takes one.
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

/// newterm(3X) on `memory`: nothing is asked of the real terminal nor written to it. NULL where the type is not known.
/// ncurses catches a signal only where that has its default action, and looks once: so it catches none. Otherwise each
/// doupdate(3X) would also discard a SIGTSTP that is pending.
static inline SCREEN *cncurses_open(const char *type, FILE *memory) {
    enum { COUNT = 4 };
    static const int numbers[COUNT] = {SIGINT, SIGTERM, SIGTSTP, SIGWINCH};
    struct sigaction before[COUNT], other = {.sa_handler = cncurses_hear_nothing};
    for (int i = 0; i < COUNT; i++) sigaction(numbers[i], &other, &before[i]);
    // Not LINES and COLUMNS, which may be a shell's own. Without any size in terminfo it is 80 by 24, not an error.
    use_env(false);
    use_tioctl(true);
    SCREEN *screen = newterm((char *)(uintptr_t)type, memory, stdin);
    for (int i = 0; i < COUNT; i++) sigaction(numbers[i], &before[i], NULL);
    return screen;
}

/// What is always so on the screen that cncurses_open has made. The cursor is left where it is.
static inline void cncurses_begin(void) {
    // Keys are read elsewhere: what has been typed must not cut a drawing short.
    typeahead(-1);
    // Has key_defined(3X) know the terminal's keys.
    keypad(stdscr, true);
    leaveok(stdscr, true);
    idcok(stdscr, false);
}

/// Whether a character in the lower right corner would scroll the screen, so that ncurses writes it one cell before and
/// shifts it into place, for wrapping cannot be switched off.
static inline bool cncurses_shifts_into_last_cell(void) {
    return auto_right_margin && !(enter_am_mode && exit_am_mode);
}

/// Has the cursor rest in a cell after each drawing, for want of a way to hide it.
static inline void cncurses_rest(int row, int column) {
    leaveok(stdscr, false);
    wmove(stdscr, row, column);
}

/// mvadd_wchnstr(3X), a macro: puts cells into a row. They are shown by cncurses_draw.
static inline void cncurses_put(int row, int column, const cchar_t *cells, int count) {
    mvwadd_wchnstr(stdscr, row, column, cells, count);
}

/// Writes what has changed since the last time.
static inline void cncurses_draw(void) {
    wnoutrefresh(stdscr);
    doupdate();
}

/// Has the next cncurses_draw write everything, on a cleared screen.
static inline void cncurses_forget(void) { clearok(curscr, true); }

/// COLORS and COLOR_PAIRS, after start_color(3X).
static inline int cncurses_colours(void) { return COLORS; }
static inline int cncurses_colour_pairs(void) { return COLOR_PAIRS; }

static const attr_t cncurses_bold = WA_BOLD;
static const attr_t cncurses_dim = WA_DIM;
static const attr_t cncurses_reverse = WA_REVERSE;
static const attr_t cncurses_underline = WA_UNDERLINE;

/// A string capability of the terminal by its terminfo name; NULL where there is none. tigetstr(3X) says -1 for what is
/// no string.
static inline const char *cncurses_string(const char *name) {
    const char *value = tigetstr((char *)(uintptr_t)name);
    return value == (char *)-1 ? NULL : value;
}
