// libcrypt, see crypt(3).
#include <crypt.h>
