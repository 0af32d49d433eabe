import KeyProtocol
import Reports
import System
import VolumeInput

/// Where files are kept, by the XDG Base Directory Specification.
enum Paths {
    /// `$XDG_DATA_HOME/counter`, else `~/.local/share/counter`.
    static func defaultDataDirectory() throws(Failure) -> String { try ProgramFiles.defaultDataDirectory() }

    /// `$XDG_CONFIG_HOME/counter/config.toml`, else `~/.config/counter/config.toml`.
    static func configurationFile() throws(Failure) -> String {
        try ProgramFiles.directory("XDG_CONFIG_HOME", fallback: ".config") + "/counter/config.toml"
    }

    /// `$XDG_STATE_HOME/counter/watch`, else `~/.local/state/counter/watch`.
    static func watchRecords() throws(Failure) -> String {
        try ProgramFiles.directory("XDG_STATE_HOME", fallback: ".local/state") + "/counter/watch"
    }

    /// The socket of the system's key service; `nil` where none is to be used.
    static var keyService: String? { ProgramFiles.keyService }

    /// The path of this program's executable; `nil` where the kernel does not report it.
    static var executable: String? { ProgramFiles.executable }

    /// The path of this program's `counter-keys`.
    static func keyServer() throws(Failure) -> String { try ProgramFiles.companion("counter-keys") }

    /// The path of this program's `counter-ringer`, whether or not it is installed.
    static var ringer: String { (try? ProgramFiles.companion("counter-ringer")) ?? "counter-ringer" }
}

extension Machine {
    /// The machine as it is now.
    static var current: Machine {
        Machine(executable: Paths.executable, usesService: Paths.keyService != nil)
    }
}
