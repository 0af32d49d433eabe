import Glibc
import TestSupport
import Testing

/// mosquitto, with a port and a folder of its own; it keeps sessions.
final class TestBroker {
    let port: Int
    let folder: ScratchFolder
    private var program: ChildProcess

    /// - Parameter settings: Further lines of its configuration.
    init(_ settings: String = "allow_anonymous true", in folder: ScratchFolder? = nil) throws {
        self.folder = try folder ?? ScratchFolder()
        port = try Self.freePort()
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
        try program.errorLine(with: "running")
        return program
    }

    private static func freePort() throws -> Int {
        let script = "import socket; print(socket.create_server(('127.0.0.1', 0)).getsockname()[1], end='')"
        return try #require(Int(ChildProcess.success(of: ["python3", "-c", script])))
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
