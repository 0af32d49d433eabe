import Glibc
import Ringer
import RingerProtocol
import System

/// Sounds and speech for `counter`, which starts it.
///
/// | arguments | does |
/// |---|---|
/// | `check PART…` | prints which of these parts of the system are missing |
/// | `serve JOURNAL DESCRIPTOR` | serves the program that started it by this socket, and others of the same user |
@main
enum CounterRinger {
    static func main() {
        signal(SIGPIPE, SIG_IGN)
        setlocale(LC_ALL, "")
        do throws(SystemCallError) {
            let arguments = Array(CommandLine.arguments.dropFirst())
            if arguments.first == "check" {
                exit(PartCheck.run(Array(arguments.dropFirst())) ? EX_OK : EX_USAGE)
            }
            guard arguments.count == 3, arguments[0] == "serve", let number = CInt(arguments[2]), number > 2
            else {
                fail("counter-ringer is started by counter", status: EX_USAGE)
            }
            try serve(arguments[1], Descriptor(owning: number))
        } catch {
            // Another ringer serves this journal already; the client connects to it.
            if error.errno == EWOULDBLOCK { exit(EX_TEMPFAIL) }
            fail("\(error)", status: EX_OSERR)
        }
    }

    private static func serve(_ journal: String, _ client: consuming Descriptor) throws(SystemCallError) {
        guard let place = RingerPlace(journal: journal) else {
            fail("\(journal): no journal", status: EX_NOINPUT)
        }
        let signals = try SignalDescriptor([SIGTERM, SIGINT, SIGHUP])
        try Ringer(at: place, client: client, until: signals) { PulseSound() }.run()
    }

    private static func fail(_ message: String, status: CInt) -> Never {
        let line = Array("counter-ringer: \(message)\n".utf8)
        _ = write(STDERR_FILENO, line, line.count)
        exit(status)
    }
}
