import Glibc
import KeyServer
import Linux

/// The key server: nothing but `KeyServer` behind the socket that it was started with: a connected one
/// (its number is the argument), or as a service the listening one that systemd passes.
@main
enum CounterKeys {
    /// The first descriptor that a service is started with; see sd_listen_fds(3).
    private static let firstPassed: CInt = 3

    static func main() {
        do throws(SystemCallError) {
            switch CommandLine.arguments.dropFirst() {
            case ["repair"]: try repair(InterceptionRegistry.directories(isService: false))
            case let arguments where arguments.count == 2 && arguments.first == "repair":
                try repair([arguments[arguments.endIndex - 1]])
            case ["abandoned"]: listAbandoned()
            case [] where isActivated: try serveAll()
            case let arguments: try serve(arguments.count == 1 ? arguments.first.flatMap { CInt($0) } : nil)
            }
        } catch {
            fail("\(error)", status: EX_OSERR)
        }
    }

    /// systemd has passed one socket, and it is meant for this process.
    private static var isActivated: Bool {
        environmentVariable("LISTEN_PID") == String(getpid()) && environmentVariable("LISTEN_FDS") == "1"
    }

    /// The service: whoever connects, and may.
    private static func serveAll() throws(SystemCallError) {
        guard isPacketSocket(firstPassed) else {
            fail("what systemd has passed is no socket of sequential packets", status: EX_USAGE)
        }
        // Before the thread, which inherits that they are blocked.
        let signals = try endingSignals()
        let listener = ListeningSocket(
            owning: Descriptor(owning: firstPassed), connectionsClosedBy: try ClosingThread())
        try KeyServer(listeningAt: listener, until: signals).run()
    }

    /// The server of the program that started it.
    private static func serve(_ number: CInt?) throws(SystemCallError) {
        guard let number, number >= 3 else {
            fail("counter-keys is started by counter, with the number of a socket", status: EX_USAGE)
        }
        guard isPacketSocket(number) else {
            fail("descriptor \(number) is not the socket of counter", status: EX_USAGE)
        }
        let socket = PacketSocket(owning: Descriptor(owning: number))
        try KeyServer(serving: socket, until: try endingSignals()).run()
    }

    private static func endingSignals() throws(SystemCallError) -> SignalDescriptor {
        try SignalDescriptor([SIGTERM, SIGINT, SIGHUP])
    }

    private static func isPacketSocket(_ number: CInt) -> Bool {
        var type: CInt = 0
        var size = socklen_t(MemoryLayout<CInt>.size)
        return getsockopt(number, SOL_SOCKET, SO_TYPE, &type, &size) == 0 && type == SOCK_SEQPACKET.rawValue
    }

    /// Restores the key maps that a crash left changed, and names the devices.
    private static func repair(_ directories: [String]) throws(SystemCallError) {
        for directory in directories {
            for device in try InterceptionRegistry.restoreAbandoned(in: directory) {
                print("restored the key map of \(device)")
            }
        }
    }

    /// Prints what a crash left remapped, a line for each: the directory where that is written down, the device, and its node or
    /// nothing, with tabs between them.
    private static func listAbandoned() {
        for directory in InterceptionRegistry.directories(isService: false) {
            for device in InterceptionRegistry.abandoned(in: directory) {
                print(directory, device, KernelDevice.node(of: device) ?? "", separator: "\t")
            }
        }
    }

    private static func fail(_ message: String, status: CInt) -> Never {
        let line = Array("counter-keys: \(message)\n".utf8)
        _ = write(STDERR_FILENO, line, line.count)
        exit(status)
    }
}
