#define _GNU_SOURCE
#include <link.h>
#include <stddef.h>
#include <sys/mman.h>
#include <unistd.h>

#include "CLinux.h"

static int release(struct dl_phdr_info *object, size_t size, void *context) {
    (void)size, (void)context;
    const uintptr_t page = (uintptr_t)sysconf(_SC_PAGESIZE);
    for (int i = 0; i < object->dlpi_phnum; i++) {
        const ElfW(Phdr) *segment = &object->dlpi_phdr[i];
        if (segment->p_type != PT_LOAD || segment->p_flags & PF_W) continue;
        const uintptr_t address = object->dlpi_addr + segment->p_vaddr, start = address / page * page;
        madvise((void *)start, address - start + segment->p_memsz, MADV_DONTNEED);
    }
    return 0;
}

void clinux_release_program_pages(void) { dl_iterate_phdr(release, NULL); }
