import TestSupport

/// Where programs find a speech server whose runtime directory this is.
func speechSocket(in folder: ScratchFolder) -> String { folder.path(of: "speech-dispatcher/speechd.sock") }

/// The mock of a speech server, which prints what it says.
func speechServer(in folder: ScratchFolder, _ options: [String] = []) throws -> ChildProcess {
    let script = "\(#filePath.dropLast("SpeechServer.swift".count))speech-server"
    let server = try ChildProcess([script, speechSocket(in: folder)] + options, keeping: folder)
    while let line = try server.readLine(), line != "listening" {}
    return server
}
