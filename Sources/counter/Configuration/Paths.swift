import KeyProtocol
import Linux
import Reports
import VolumeInput

/// The paths that only `counter` uses.
enum Paths {
    /// `$XDG_CONFIG_HOME/counter/config.toml`, else `~/.config/counter/config.toml`.
    static func configurationFile() throws(ProgramError) -> String {
        try ProgramFiles.directory("XDG_CONFIG_HOME", fallback: ".config") + "/counter/config.toml"
    }

    /// `$XDG_STATE_HOME/counter/watch`, else `~/.local/state/counter/watch`.
    static func watchRecords() throws(ProgramError) -> String {
        try ProgramFiles.directory("XDG_STATE_HOME", fallback: ".local/state") + "/counter/watch"
    }

    /// The path of this program's `counter-keys`.
    static func keyServer() throws(ProgramError) -> String { try ProgramFiles.companion("counter-keys") }

    /// The path of this program's `counter-ringer`, whether or not it is installed.
    static var ringer: String { (try? ProgramFiles.companion("counter-ringer")) ?? "counter-ringer" }
}

extension Machine {
    /// The machine as it is now.
    static var current: Machine {
        Machine(executable: ProgramFiles.executable, usesService: ProgramFiles.keyService != nil)
    }
}
