import Descriptors
import Glibc
import VolumeInput

/// The key server: nothing but `VolumeInput/Capture` behind the socket that it was started with.
@main
enum CounterKeys {
    static func main() {
        if CommandLine.arguments.dropFirst() == ["repair"] { return repair() }
        guard CommandLine.arguments.count == 2, let number = CInt(CommandLine.arguments[1]), number >= 3
        else {
            fail("counter-keys is started by counter, with the number of a socket", status: EX_USAGE)
        }
        var type: CInt = 0
        var size = socklen_t(MemoryLayout<CInt>.size)
        guard getsockopt(number, SOL_SOCKET, SO_TYPE, &type, &size) == 0, type == SOCK_SEQPACKET.rawValue
        else {
            fail("descriptor \(number) is not the socket of counter", status: EX_USAGE)
        }
        do throws(SystemCallError) {
            let signals = try SignalDescriptor([SIGTERM, SIGINT, SIGHUP])
            try KeyServer(serving: PacketSocket(owning: Descriptor(owning: number)), until: signals).run()
        } catch {
            fail("\(error)", status: EX_OSERR)
        }
    }

    /// Restores the key maps that a crash left swapped, and names the devices.
    private static func repair() {
        do throws(SystemCallError) {
            guard let directory = HoldLedger.defaultDirectory else { return }
            for device in try HoldLedger(directory).restoreAbandoned() {
                print("restored the key map of \(device)")
            }
        } catch {
            fail("\(error)", status: EX_OSERR)
        }
    }

    private static func fail(_ message: String, status: CInt) -> Never {
        let line = Array("counter-keys: \(message)\n".utf8)
        write(STDERR_FILENO, line, line.count)
        exit(status)
    }
}
