import CounterStore
import Glibc
import Linux
import NIOCore

/// What the hub is told at its start.
package struct HubOptions {
    package var directory: String
    /// Addresses and ports, such as 127.0.0.1:8484 and [::]:8484.
    package var addresses: [String]
    package var location = "default"
    package var staleAfter = Duration.seconds(120)
    /// As `silent-after` of counter has it by default.
    static let silentAfter = Duration.seconds(1800)
    package var limits = HubLimits()
    package var certificate: CertificateFiles?
    /// Whether it serves other machines without TLS.
    package var isInsecure = false
    package var allowsNetworkFileSystem = false
    package var broker: BrokerOptions?
    package var log: LogTarget?

    package init(directory: String, addresses: [String]) {
        (self.directory, self.addresses) = (directory, addresses)
    }
}

extension HubOptions {
    /// The journal's directory where `--data-dir` names none.
    package static var defaultDirectory: String {
        get throws(ProgramError) {
            if let named = environmentVariable("COUNTER_DATA_DIR"), !named.isEmpty { return named }
            return try ProgramFiles.defaultDataDirectory()
        }
    }

    /// A command of `counter-hub` for the journal in `directory`, as it would be typed.
    package static func command(_ words: [String], in directory: String) -> String {
        let isDefault = (try? defaultDirectory) == directory
        return (["counter-hub"] + words + (isDefault ? [] : ["--data-dir", directory]))
            .map(\.quotedForShell).joined(separator: " ")
    }

    func command(_ words: String...) -> String { Self.command(words, in: directory) }

    /// Reads an address, and refuses one of other machines without TLS.
    func socketAddress(_ text: String) throws(ProgramError) -> SocketAddress {
        let wrong = ProgramError(
            "--listen: '\(text)' is no address with a port",
            remedy: "Such as 127.0.0.1:8484, 0.0.0.0:8484 or [::]:8484.", status: EX_USAGE)
        guard let colon = text.lastIndex(of: ":"), let port = Int(text[text.index(after: colon)...]),
            0...65_535 ~= port
        else { throw wrong }
        let host = text[..<colon].filter { $0 != "[" && $0 != "]" }
        guard let address = try? SocketAddress(ipAddress: host, port: port) else { throw wrong }
        let isLocal = host.hasPrefix("127.") || host == "::1"
        guard isLocal || certificate != nil || isInsecure else {
            throw ProgramError(
                "--listen \(text): other machines are served with TLS only",
                remedy: "Make a certificate: \(command("certificate"))\n"
                    + "Behind a proxy that has one, or in a network where nobody listens: --insecure",
                status: EX_USAGE)
        }
        return address
    }

    /// A descriptor for each connection, if the system allows it.
    func raiseDescriptorLimit() {
        let wanted = limits.connections + HubLimits.refusedConnections + 64
        var limit = rlimit()
        getrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit)
        guard limit.rlim_cur < rlim_t(wanted) else { return }
        limit.rlim_cur = min(limit.rlim_max, rlim_t(wanted))
        setrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit)
    }
}

extension String {
    /// Whether it is an address of IPv4 or IPv6, and no name of a machine.
    var isIPAddress: Bool { (try? SocketAddress(ipAddress: self, port: 0)) != nil }
}

extension ProgramError {
    init(hub error: any Error) {
        switch error {
        case let error as ProgramError: self = error
        case let error as JournalError: self.init("\(error)", remedy: error.reason.remedy, status: EX_IOERR)
        default: self.init("\(error)", status: EX_OSERR)
        }
    }

    init(listeningAt address: SocketAddress, _ error: any Error) {
        let code = (error as? IOError)?.errnoCode ?? 0
        let place = "\(address.ipAddress ?? ""):\(address.port ?? 0)"
        self.init(
            "--listen \(place): \(code == 0 ? "\(error)" : errorText(code))",
            remedy: code == EADDRINUSE
                ? "Another program listens there: choose another port with --listen." : nil,
            status: EX_UNAVAILABLE)
    }
}
