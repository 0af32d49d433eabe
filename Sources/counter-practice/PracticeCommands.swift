import Glibc
import Linux
import Practice

/// What the grown-up does from a shell.
enum PracticeCommands {
    /// Prints the reports of all players, or of one. Returns the status of the process: a player whose file cannot be read does not
    /// keep the others from being printed.
    static func report(_ folder: PracticeFolder, of name: String?) throws -> CInt {
        try requireUsed(folder)
        let settings = try SettingsStore(folder.settingsPath, makes: false).settings()
        let (players, status) = readable(folder.playerIds, in: folder)
        let reported = players.filter { name == nil || name == $0.name }
        var clock = PracticeClock()
        for (index, player) in reported.enumerated() {
            let lines = player.report(settings?.parentSettings ?? ParentSettings(), at: clock.now)
            for line in (index > 0 ? [""] : []) + lines { try Output.line(line) }
        }
        if reported.isEmpty, let name { throw noPlayer(name, among: players) }
        return status
    }

    /// The players that can be read, and the status of the last error; tells of the others.
    private static func readable(_ ids: [String], in folder: PracticeFolder) -> ([PlayerData], CInt) {
        var (players, status) = ([PlayerData](), EX_OK)
        for id in ids {
            do throws(StoreError) {
                players.append(try PlayerStore(id, in: folder).player())
            } catch {
                Output.complain(error.failure)
                status = error.failure.status
            }
        }
        return (players, status)
    }

    static func resetPIN(_ folder: PracticeFolder) throws {
        try requireUsed(folder)
        try folder.take()
        try SettingsStore(folder.settingsPath, makes: false).set(nil)
        try Output.line("The PIN is removed. The next start asks for a new one.")
    }

    /// Erases the player of a name, or of a file.
    static func erase(_ folder: PracticeFolder, _ name: String, asks: Bool) throws {
        try requireUsed(folder)
        try folder.take()
        // A file is named without being read, because it may be damaged.
        let named = folder.playerIds.filter { PracticeFolder.fileName(ofPlayer: $0) == name }
        let (players, _) = named.isEmpty ? readable(folder.playerIds, in: folder) : ([], EX_OK)
        let ids = named + players.filter { $0.name == name }.map(\.id)
        guard let id = ids.first else { throw noPlayer(name, among: players) }
        guard ids.count == 1 else {
            throw ProgramError(
                "\(ids.count) players are called \(name)",
                remedy: "Name a file: \(ids.map(PracticeFolder.fileName).joined(separator: " or ")).",
                status: EX_USAGE)
        }
        if asks { try confirm(name) }
        // A name that is no UTF-8 text is listed as another one, under which there is no file.
        guard access(folder.path(ofPlayer: id), F_OK) == 0 else { throw noPlayer(name, among: players) }
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
        throw ProgramError(
            "\(folder.path): nobody has practised yet", remedy: "counter practice starts it.",
            status: EX_NOINPUT)
    }

    private static func noPlayer(_ name: String, among players: [PlayerData]) -> ProgramError {
        ProgramError(
            "no player is called \(name)",
            remedy: "\(players.map(\.name).suggestion(for: name))counter practice report names them.",
            status: EX_NOINPUT)
    }

    private static func confirm(_ name: String) throws {
        guard isatty(STDIN_FILENO) != 0 else {
            throw ProgramError(
                "confirmation needed", remedy: "counter practice erase --yes NAME", status: EX_USAGE)
        }
        try Output.write("Erase all that is kept about \(name.quotable)? [y/N] ", to: STDERR_FILENO)
        guard let answer = readLine(), ["y", "yes"].contains(answer.lowercased()) else {
            throw ProgramError("nothing was changed", status: 1)
        }
    }
}
