import CLinux

/// The mapped pages of the files of the program and its libraries.
package enum ProgramPages {
    /// Unmaps the pages of code and constants: most of them only the start needs. A page that is needed again is mapped
    /// again from the kernel's cache, at the cost of a page fault.
    ///
    /// The corresponding C function is madvise(2) with MADV_DONTNEED.
    package static func release() { clinux_release_program_pages() }
}
