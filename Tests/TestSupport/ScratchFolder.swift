import Glibc

/// A new empty directory. `deinit` removes it with its content.
package final class ScratchFolder {
    package let path: String

    /// A name with every printable character of ASCII but the slash, a line feed, a control character, and letters of two scripts; what
    /// systemd expands stands in front.
    package static let oddName =
        "${HOME} $HOME %h %u %% $$ \\x41 \"quoted\" 'too' \n\u{1}Vögel 鳥 "
        + String(
            String.UnicodeScalarView((0x20...0x7E).filter { $0 != 0x2F }.map { UnicodeScalar(UInt8($0)) }))

    package init() throws(SupportError) {
        var template = Array("/tmp/counter-test-XXXXXX".utf8CString)
        if mkdtemp(&template) == nil {
            throw .system(call: "mkdtemp", subject: "/tmp/counter-test-XXXXXX", errno: errno)
        }
        path = String(decoding: template.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
    }

    deinit {
        endSpeechServer()
        Self.remove(path)
    }

    package func path(of name: String) -> String { "\(path)/\(name)" }

    /// Writes a file, and creates its parent directories.
    package func write(_ name: String, _ text: String = "") throws(SupportError) {
        try write(name, Array(text.utf8))
    }

    package func write(_ name: String, _ bytes: [UInt8]) throws(SupportError) {
        for (place, character) in name.enumerated() where character == "/" {
            mkdir(path(of: String(name.prefix(place))), 0o755)
        }
        let file = try checked("open", path(of: name)) {
            open(path(of: name), O_CREAT | O_TRUNC | O_WRONLY | O_CLOEXEC, 0o644)
        }
        defer { close(file) }
        try checked("write", path(of: name)) { Glibc.write(file, bytes, bytes.count) }
    }

    /// Makes a program, a shell script.
    package func script(_ name: String, _ text: String) throws(SupportError) {
        try write(name, "#!/bin/sh\n\(text)\n")
        chmod(path(of: name), 0o755)
    }

    /// Ends the speech server that a program has started with its files in here. By itself it does not end on a machine without
    /// sound: speech-dispatcher 0.11 waits for its synthesiser, which waits until somebody plays what it has written.
    private func endSpeechServer() {
        for directory in ["", ".cache/"] {
            let file = path(of: directory + "speech-dispatcher/pid/speech-dispatcher.pid")
            if let id = contents(of: file).flatMap({ pid_t($0.prefix { $0.isNumber }) }) { kill(id, SIGKILL) }
        }
    }

    private static func remove(_ path: String) {
        if unlink(path) == 0 { return }
        for name in entries(of: path) { remove("\(path)/\(name)") }
        rmdir(path)
    }
}
