import Glibc

extension Workplace {
    /// Builds a library that is preloaded into programs, in the place of calls of the system.
    ///
    /// - Parameters:
    ///   - name: The name of its file.
    ///   - source: The library, in C.
    /// - Returns: The variable with which a program loads it.
    /// - Throws: ``SupportError``.
    package func library(_ name: String, _ source: String) throws -> [String: String] {
        let path = "\(directory)/\(name)"
        try write("\(name).c", Array(source.utf8))
        let outcome = try ChildProcess.run([
            "g++", "-x", "c++", "-shared", "-fPIC", "-o", path + ".so", path + ".c",
        ])
        guard outcome.status == .exited(0) else {
            throw SupportError.refused(by: "g++", why: outcome.errors)
        }
        return ["LD_PRELOAD": path + ".so"]
    }

    /// The variable that makes a program see a kernel without pidfd_open(2), as before Linux 5.3 and in some sandboxes, and SIGCHLD
    /// ignored by the program that started it.
    package func oldKernel() throws -> [String: String?] {
        let source = """
            #include <cerrno>
            #include <csignal>
            #include <cstdarg>
            #include <dlfcn.h>
            #include <sys/syscall.h>
            __attribute__((constructor)) static void ignore() { signal(SIGCHLD, SIG_IGN); }
            extern "C" long syscall(long number, ...) noexcept {
                if (number == SYS_pidfd_open) { errno = ENOSYS; return -1; }
                va_list list;
                va_start(list, number);
                long a[6];
                for (long &value : a) value = va_arg(list, long);
                va_end(list);
                auto next = (long (*)(long, ...))dlsym(RTLD_NEXT, "syscall");
                return next(number, a[0], a[1], a[2], a[3], a[4], a[5]);
            }
            """
        return try library("old-kernel", source).mapValues { $0 }
    }
}
