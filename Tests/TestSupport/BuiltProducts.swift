import Glibc

/// The executables under test.
package enum BuiltProducts {
    /// The program: the path in `COUNTER_BINARY` if it is set, else the executable beside the test binary.
    package static var counter: String {
        getenv("COUNTER_BINARY").map { String(cString: $0) } ?? folder(of: testExecutable) + "/counter"
    }

    /// The key server beside ``counter``.
    package static var counterKeys: String { folder(of: counter) + "/counter-keys" }

    /// The ringer beside ``counter``.
    package static var counterRinger: String { folder(of: counter) + "/counter-ringer" }

    /// The library that records a program's file operations, beside the test binary.
    package static var powerCutRecorder: String { folder(of: testExecutable) + "/libPowerCutRecorder.so" }

    private static var testExecutable: String {
        var buffer = [UInt8](repeating: 0, count: Int(PATH_MAX))
        let size = readlink("/proc/self/exe", &buffer, buffer.count)
        return String(decoding: buffer.prefix(max(0, size)), as: UTF8.self)
    }

    private static func folder(of path: String) -> String {
        path.lastIndex(of: "/").map { String(path[..<$0]) } ?? "."
    }
}
