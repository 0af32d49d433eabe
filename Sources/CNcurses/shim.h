// ncursesw, and the parts of it that Swift cannot reach by itself.
#pragma once

#define NCURSES_WIDECHAR 1
#include <ncurses.h>
#include <term.h>
