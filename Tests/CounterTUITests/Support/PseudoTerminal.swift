import CLinux
import Glibc
import Testing

/// Both ends of a pseudo-terminal: the program's, and the one where a terminal emulator would sit.
final class PseudoTerminal {
    let program: CInt
    private var emulator: CInt

    init(columns: Int = 80, rows: Int = 24) throws {
        // posix_openpt(3) and its family are not imported into Swift; these are the ioctls below them.
        emulator = open("/dev/ptmx", O_RDWR | O_NOCTTY | O_CLOEXEC)
        try #require(emulator >= 0)
        var locked: CInt = 0
        try #require(ioctl(emulator, UInt(0x4004_5431), &locked) == 0, "TIOCSPTLCK")
        program = ioctl(emulator, UInt(0x5441), O_RDWR | O_NOCTTY | O_CLOEXEC)
        try #require(program >= 0, "TIOCGPTPEER")
        _ = fcntl(emulator, F_SETFL, O_NONBLOCK)
        resize(columns: columns, rows: rows)
    }

    deinit {
        hangUp()
        close(program)
    }

    func resize(columns: Int, rows: Int) {
        var size = winsize(ws_row: UInt16(rows), ws_col: UInt16(columns), ws_xpixel: 0, ws_ypixel: 0)
        _ = ioctl(emulator, UInt(TIOCSWINSZ), &size)
    }

    /// What a person or their terminal sends.
    func type(_ text: String) {
        let bytes = Array(text.utf8)
        _ = bytes.withUnsafeBytes { write(emulator, $0.baseAddress, $0.count) }
    }

    /// What the program has written since the last time.
    func output() -> String {
        var all: [UInt8] = []
        var buffer = [UInt8](repeating: 0, count: 4096)
        while case let count = read(emulator, &buffer, buffer.count), count > 0 { all += buffer[..<count] }
        return String(decoding: all, as: UTF8.self)
    }

    /// The program's end, for a process that opens it by itself.
    var path: String {
        String(cString: ttyname(program))
    }

    func modes() -> (input: UInt32, output: UInt32, local: UInt32) {
        var modes = termios()
        tcgetattr(program, &modes)
        return (modes.c_iflag, modes.c_oflag, modes.c_lflag)
    }

    func hangUp() {
        if emulator >= 0 { close(emulator) }
        emulator = -1
    }
}
