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
}
