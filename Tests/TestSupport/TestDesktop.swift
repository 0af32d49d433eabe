/// A message bus of its own with a mock of the desktop on it.
package final class TestDesktop {
    /// The variables by which programs find it.
    package let environment: [String: String?]
    private let folder: ScratchFolder
    private let bus: ChildProcess
    private let desktop: ChildProcess

    package init(_ parts: [String] = ["notifications", "manager"]) throws {
        folder = try ScratchFolder()
        environment = [
            "DBUS_SESSION_BUS_ADDRESS": "unix:path=\(folder.path)/bus", "XDG_RUNTIME_DIR": folder.path,
            "XDG_STATE_HOME": folder.path(of: "state"),
        ]
        bus = try messageBus(at: folder.path(of: "bus"))
        let script = "\(#filePath.dropLast("TestDesktop.swift".count))desktop"
        desktop = try ChildProcess([script] + parts, environment: environment, keeping: folder)
        while let line = try desktop.readLine(), line != "ready" {}
    }

    deinit { end() }

    package func call() throws -> String { try desktop.readLine() ?? "the desktop has ended" }

    /// The user's answer to the last notification: `action KEY` or `dismiss`.
    package func answer(_ text: String) throws { try desktop.write(text + "\n") }

    /// What is in the registry of alarms.
    package var registry: [String] {
        get throws {
            try ChildProcess.run([
                "sh", "-c", "cat \"$0\"/* 2>/dev/null", folder.path(of: "state/counter/alarms"),
            ])
            .output.split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
        }
    }

    package func end() {
        desktop.end()
        bus.end()
    }
}

/// A message bus at a socket, once it listens.
package func messageBus(at path: String, environment: [String: String?] = [:]) throws -> ChildProcess {
    let bus = try ChildProcess(
        [
            "dbus-daemon", "--session", "--nofork", "--nopidfile", "--print-address",
            "--address=unix:path=\(path)",
        ], environment: environment)
    _ = try bus.readLine()
    return bus
}

// MARK: - The speech server

/// Where programs find a speech server whose runtime directory this is.
package func speechSocket(in folder: ScratchFolder) -> String {
    folder.path(of: "speech-dispatcher/speechd.sock")
}

/// The mock of a speech server, which prints what it says.
package func speechServer(in folder: ScratchFolder, _ options: [String] = []) throws -> ChildProcess {
    let script = "\(#filePath.dropLast("TestDesktop.swift".count))speech-server"
    let server = try ChildProcess([script, speechSocket(in: folder)] + options, keeping: folder)
    while let line = try server.readLine(), line != "listening" {}
    return server
}
