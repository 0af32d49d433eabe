import Glibc
import TestSupport

/// mosquitto, with a port and a folder of its own; it keeps sessions.
final class TestBroker {
    let port: Int
    let folder: ScratchFolder
    private let settings: String
    private var program: ChildProcess

    /// - Parameter settings: Further lines of its configuration.
    init(_ settings: String = "allow_anonymous true", in folder: ScratchFolder? = nil) throws {
        self.folder = try folder ?? ScratchFolder()
        port = try Self.freePort()
        self.settings = settings
        // Started by root it would become a user who may not write there.
        let user = getuid() == 0 ? "user root\n" : ""
        try self.folder.write(
            "mosquitto.conf",
            "\(user)listener \(port) 127.0.0.1\npersistence true\npersistence_location \(self.folder.path)/\n\(settings)\n"
        )
        program = try Self.start(self.folder)
    }

    private static func start(_ folder: ScratchFolder) throws -> ChildProcess {
        let path = ["/usr/sbin/mosquitto", "/usr/bin/mosquitto"].first { (path: String) in
            access(path, X_OK) == 0
        }
        let program = try ChildProcess([path ?? "mosquitto", "-c", folder.path(of: "mosquitto.conf")])
        while let line = try program.readErrorLine() {
            if line.contains("running") { return program }
        }
        throw SupportError.refused(by: "mosquitto", why: "it has ended")
    }

    private static func freePort() throws -> Int {
        let number = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        defer { close(number) }
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_addr.s_addr = in_addr_t(0x7F00_0001).bigEndian
        var size = socklen_t(MemoryLayout<sockaddr_in>.size)
        let isBound = withUnsafeMutablePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                bind(number, $0, size) == 0 && getsockname(number, $0, &size) == 0
            }
        }
        guard isBound else { throw SupportError.system(call: "bind", subject: "127.0.0.1", errno: errno) }
        return Int(UInt16(bigEndian: address.sin_port))
    }

    var url: String { "mqtt://127.0.0.1:\(port)" }

    func stop() { program.end() }

    func restart() throws {
        program.end()
        program = try Self.start(folder)
    }

    /// Publishes with QoS 1.
    func publish(_ topic: String, _ payload: String, _ options: String...) throws {
        try ChildProcess.success(
            of: ["mosquitto_pub", "-p", "\(port)", "-q", "1", "-t", topic, "-m", payload] + options)
    }
}
