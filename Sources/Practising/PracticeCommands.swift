import Glibc
import Practice
import PracticeScreens
public import PracticeStore
public import System

/// What a user does from a shell. All throw `Failure` and `StoreError`.
public enum PracticeCommands {
    /// Opens the screens, and returns when the user leaves them.
    ///
    /// - Parameters:
    ///   - folder: the directory; it is made if need be.
    ///   - speaks: speak, whatever the settings say.
    ///   - version: the program's, which the settings keep.
    /// - Throws: `Failure`, `StoreError`, `SystemCallError`, `TerminalError`
    public static func play(_ folder: PracticeFolder, speaks: Bool, version: String) throws {
        for descriptor in [STDIN_FILENO, STDOUT_FILENO] where isatty(descriptor) == 0 {
            throw Failure(
                "standard \(descriptor == 0 ? "input" : "output") is not a terminal",
                remedy: "Practice needs one.", status: EX_UNAVAILABLE)
        }
        // Signals are blocked before a thread may start.
        let signals = try SignalDescriptor(PracticeProgram.signals)
        try folder.take()
        try PracticeProgram(folder, speaks: speaks, version: version, signals: signals).run()
    }

    /// Prints the reports of all players, or of one.
    ///
    /// - Returns: the status of the process: a player whose file cannot be read does not keep the others from being printed.
    public static func report(_ folder: PracticeFolder, of name: String?) throws -> CInt {
        try requireUsed(folder)
        let settings = try SettingsStore(folder.settingsPath, makes: false).settings()
        var (isFound, status) = (false, EX_OK)
        for id in folder.playerIds {
            let player: PlayerData
            do throws(StoreError) { player = try PlayerStore(folder.path(ofPlayer: id)).player() } catch {
                Output.complain(error.failure)
                status = error.failure.status
                continue
            }
            guard name == nil || name == player.name else { continue }
            let report = PlayerReport(player, settings?.parentSettings ?? ParentSettings())
            for line in (isFound ? [""] : []) + report.lines { try Output.line(line) }
            isFound = true
        }
        if !isFound, let name { throw noPlayer(name) }
        return status
    }

    /// Removes the PIN.
    public static func resetPIN(_ folder: PracticeFolder) throws {
        try requireUsed(folder)
        try folder.take()
        try SettingsStore(folder.settingsPath, makes: false).set(nil)
        try Output.line("The PIN is removed. The next start asks for a new one.")
    }

    /// Erases the player of a name, or of a file, once `confirm` has returned.
    public static func erase(_ folder: PracticeFolder, _ name: String, confirm: () throws -> Void) throws {
        try requireUsed(folder)
        try folder.take()
        let ids = folder.playerIds.filter { id in
            name == folder.fileName(ofPlayer: id)
                || (try? PlayerStore(folder.path(ofPlayer: id)).player().name) == name
        }
        guard let id = ids.first else { throw noPlayer(name) }
        guard ids.count == 1 else {
            throw Failure(
                "\(ids.count) players are called \(name)",
                remedy: "Name a file: \(ids.map(folder.fileName).joined(separator: " or ")).",
                status: EX_USAGE)
        }
        try confirm()
        try folder.erase(player: id)
        let store = try SettingsStore(folder.settingsPath, makes: false)
        if var settings = try store.settings() {
            settings.forget(player: id)
            try store.save(settings)
        }
        try Output.line("\(name) is erased.")
    }

    private static func requireUsed(_ folder: PracticeFolder) throws {
        guard !folder.exists else { return }
        throw Failure(
            "\(folder.path): nobody has practised yet", remedy: "counter practice starts it.",
            status: EX_NOINPUT)
    }

    private static func noPlayer(_ name: String) -> Failure {
        Failure(
            "no player is called \(name)", remedy: "counter practice report names them.", status: EX_NOINPUT)
    }
}

extension StoreError {
    /// The error as one that is printed.
    public var failure: Failure { Failure("\(self)", remedy: remedy, status: status) }

    private var status: CInt {
        switch reason {
        case .diskFull, .failed: EX_IOERR
        case .notPermitted: EX_NOPERM
        case .corrupt, .newer: EX_DATAERR
        case .inUse: EX_UNAVAILABLE
        }
    }
}
