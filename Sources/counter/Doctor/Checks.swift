import Alarms
import CounterModel
import CounterStore
import CounterTUI
import Counting
import Glibc
import KeyProtocol
import Linux
import Reports
import Transfer
import VolumeInput

// MARK: Devices

/// Whether there are devices, and whether each node can be read and intercepted. They are intercepted for a moment, as counting
/// does: only that shows that another program has grabbed one.
struct DeviceCheck {
    let diagnoses: [Diagnosis]
    /// Which server reads the keys; nil where none does.
    let server: Diagnosis?
    /// Why the system's service does not read them; nil where it does.
    let serviceFault: ServiceFault?

    /// Leaves the input devices of these ids alone.
    init(_ settings: Settings, ignoring ignored: Set<Identifier>) {
        let captureMode: CaptureMode = settings.intercept == .never ? .shared : .exclusive
        do {
            let survey = try DeviceSurvey(settings, captureMode: captureMode, ignoring: ignored)
            diagnoses =
                Diagnosis.all(
                    survey.environment, survey.inputDevices, survey.serviceFault, on: Machine.current)
                + Self.abandonedMaps
            server = .server(survey.serviceFault, survey.inputDevices)
            serviceFault = survey.serviceFault
        } catch {
            let note = "Install counter and counter-keys together: make install."
            (diagnoses, server, serviceFault) = ([Diagnosis(error, note: note)], nil, nil)
        }
    }

    /// Key maps that a crash left changed and that no program has restored. The key server reads its own records; `counter` runs
    /// it to ask.
    private static var abandonedMaps: [Diagnosis] {
        guard let server = try? Paths.keyServer() else { return [] }
        return shellOutput(of: "\(server.quotedForShell) abandoned").compactMap { line in
            let fields = line.split(separator: "\t", omittingEmptySubsequences: false).map(String.init)
            guard fields.count == 3 else { return nil }
            let (directory, device, node) = (fields[0], fields[1], fields[2])
            return Diagnosis(
                "\(device): its key map is as a crash left it: its volume keys do nothing",
                steps: [
                    .init(
                        "counter-keys repair", effect: "The original map is written down:",
                        access(node, R_OK) == 0
                            ? RemedyCommand([server, "repair"]) : .asRoot([server, "repair", directory]))
                ])
        }
    }
}

/// One look at the connected input devices, without reading a key.
struct DeviceSurvey {
    private static let timeout = Duration.seconds(5)

    let environment: InputEnvironment
    let inputDevices: [InputDevice]
    /// Why the system's service did not answer; `nil` where it did.
    let serviceFault: ServiceFault?

    /// Asks a key server: the system's, or one that this program starts and ends. Throws `ProgramError` (69) where
    /// there is none to ask.
    init(_ settings: Settings, captureMode: CaptureMode = .off, ignoring ignored: Set<Identifier> = []) throws
    {
        let client = settings.keyClient(try Paths.keyServer(), ignoring: ignored)
        let listener = VolumeListener(client: client, timing: settings.timing(of:))
        _ = listener.capture(captureMode, at: .now)
        let end = MonotonicTime.now + Self.timeout
        while listener.environment == nil {
            for case .trouble(let text) in listener.receive(at: .now) {
                throw ProgramError(
                    text, remedy: "Install counter and counter-keys together.", status: EX_UNAVAILABLE)
            }
            guard listener.environment == nil else { break }
            var polled = PollSet()
            listener.watch(&polled)
            try polled.wait(until: end)
            if MonotonicTime.now >= end {
                throw ProgramError("counter-keys does not answer", status: EX_UNAVAILABLE)
            }
        }
        environment = listener.environment ?? .ready
        inputDevices = listener.inputDevices
        serviceFault = listener.serviceFault
    }
}

// MARK: The terminal

/// Whether the terminal can show the screens, with which characters, and whether it reports its focus.
enum TerminalCheck {
    static func diagnoses(_ settings: Settings) -> [Diagnosis] {
        [screen, locale, settings.always ? nil : multiplexer].compactMap(\.self)
    }

    /// Only a terminal can lack what the screens need; a pipe or a file is not checked.
    private static var screen: Diagnosis? {
        guard isatty(STDOUT_FILENO) == 1 else { return nil }
        do {
            try Terminal.check()
            return nil
        } catch {
            return Diagnosis(error, note: "Set TERM to what the terminal is, such as xterm-256color.")
        }
    }

    private static var locale: Diagnosis? {
        if TextTable.isUTF8 { return nil }
        let wish = ["LC_ALL", "LC_CTYPE", "LANG"].compactMap(environmentVariable).first { !$0.isEmpty }
        if let wish, wish.lowercased().replacing("-", with: "").hasSuffix("utf8") {
            return Diagnosis(
                "the locale \(wish.sanitised) is not installed here, so the digits are plain",
                note: "Install it (locale-gen, or your system's language settings), or set LANG=C.UTF-8.")
        }
        return Diagnosis(
            "the locale has no UTF-8, so the digits are plain",
            note: "Set LANG to a locale with UTF-8, such as C.UTF-8.")
    }

    /// Only the terminal knows whether it has the focus, and tmux or screen runs between it and the program.
    private static var multiplexer: Diagnosis? {
        func isSet(_ variable: String) -> Bool { environmentVariable(variable)?.isEmpty == false }
        if isSet("TMUX") {
            // Where tmux does not answer, nothing is reported.
            let focusEvents = shellOutput(of: "tmux show-options -gv focus-events 2>/dev/null").first
            guard focusEvents == "off" else { return nil }
            return Diagnosis(
                "tmux does not report when it is in the foreground, so the keys are not intercepted in it",
                note: "tmux set -g focus-events on, and the same line in ~/.tmux.conf; or counter --always")
        }
        guard isSet("STY") else { return nil }
        return Diagnosis(
            "screen does not report when it is in the foreground, so the keys are not intercepted in it",
            note: "Start it with counter --always, or in another terminal.")
    }
}

// MARK: The journal

/// Whether the journal can be read, or created where there is none yet.
enum JournalCheck {
    /// The ids of devices that are disabled in the journal; empty where it cannot be read.
    static func inactiveDevices(_ settings: Settings) -> Set<Identifier> {
        let devices = try? SQLiteJournal.existing(settings).devices()
        return devices.map { Devices($0).inactive } ?? []
    }

    static func diagnoses(_ settings: Settings) -> [Diagnosis] {
        guard access(settings.dataDirectory, F_OK) == 0 else { return creation(settings) }
        do {
            let journal = try SQLiteJournal.existing(settings)
            _ = try journal.existingLocation(of: settings)
            return try journal.mistimedRows().map { [Diagnosis($0.doubt, note: MistimedRows.remedy)] } ?? []
        } catch let error as JournalError where error.reason == .missing {
            return creation(settings)
        } catch { return [Diagnosis(error, note: anotherDirectory)] }
    }

    private static let anotherDirectory = "Name another directory with --data-dir."

    /// Checks the place of a journal that does not exist yet: the nearest existing directory above it must be writable.
    private static func creation(_ settings: Settings) -> [Diagnosis] {
        var directory = settings.dataDirectory
        while access(directory, F_OK) != 0, directory != parentDirectory(directory) {
            directory = parentDirectory(directory)
        }
        var kind = stat()
        let isDirectory = stat(directory, &kind) == 0 && kind.st_mode & S_IFMT == S_IFDIR
        if isDirectory, access(directory, W_OK | X_OK) == 0 { return [] }
        let errno = isDirectory ? errno : ENOTDIR
        let error = JournalError(path: settings.dataDirectory, reason: .cannotCreate(errno: errno))
        return [Diagnosis(error, note: anotherDirectory)]
    }
}

// MARK: Other machines

/// What the last connection to each machine that the journal is synced with has ended with, and what was told during it.
enum SyncCheck {
    static func diagnoses(_ settings: Settings) -> [Diagnosis] {
        let machines = SyncStatus.machines(of: settings.dataDirectory, at: WallClock().now)
        if !machines.isEmpty, MachineID.hash == nil { return [nameless] + machines.flatMap(diagnoses) }
        return machines.flatMap(diagnoses)
    }

    private static let nameless = Diagnosis(
        "this machine has no id, so a copy of its journal on another machine could not be told from it",
        note: "Make /etc/machine-id: sudo systemd-machine-id-setup")

    private static func diagnoses(of status: SyncStatus) -> [Diagnosis] {
        [status.why.map { Diagnosis("counter sync: \($0)", note: status.remedy) }].compactMap(\.self)
            + status.notices.map {
                Diagnosis("counter sync: \($0)", note: "Told by the last connection to \(status.name).")
            }
    }
}

// MARK: Sounds, speech and alarms

/// What the sounds, the speech and the alarms that are used need.
enum RingerCheck {
    static func diagnoses(_ settings: Settings) -> [Diagnosis] {
        let cues = settings.preferences.cues
        let parts =
            (cues.sounds.isEmpty ? [] : [RingerPart.sound])
            + (cues.spoken == .never ? [] : [.speech]) + (hasTimers(settings) ? alarmParts : [])
        return diagnoses(of: parts)
    }

    static func diagnoses(of parts: [RingerPart]) -> [Diagnosis] {
        do throws(ProgramError) {
            return try RingerSurvey.missing(of: parts, executable: Paths.ringer).map {
                Diagnosis(missing: $0.part, $0.reason)
            }
        } catch { return [Diagnosis(error.message, note: error.remedy)] }
    }

    private static func hasTimers(_ settings: Settings) -> Bool {
        var board = TimerBoard()
        guard (try? SQLiteJournal.existing(settings).update(&board)) != nil else { return false }
        return !board.all.isEmpty || !board.allPresets.isEmpty
    }

    /// A desktop shows notifications; whoever comes over the network leaves, and their service manager with them.
    private static var alarmParts: [RingerPart] {
        [.bus, .manager] + (DesktopSession.hasDisplay ? [.notifications] : [])
            + (DesktopSession.isRemote ? [.lingering] : [])
    }
}

extension Diagnosis {
    /// A failed operation; `note` is for an error that names no remedy.
    fileprivate init(_ error: any Error, note: String) {
        let error = ProgramError(error)
        self.init(error.message, note: error.remedy ?? note)
    }

    /// That a part is missing, why and what follows, and the remedy.
    fileprivate init(missing part: RingerPart, _ reason: String) {
        switch part {
        case .sound:
            self.init(
                "no sound server answers, so you will hear the terminal's bell instead: \(reason)",
                note: "Install pipewire-pulse or pulseaudio and log in again, or install alsa-utils; "
                    + "or set sound to none.")
        case .speech:
            self.init(
                "no speech server answers, so no count is spoken: \(reason)",
                note: "Install speech-dispatcher and speech-dispatcher-espeak-ng, and try: spd-say hello. "
                    + "Or set speech to never.")
        case .bus:
            self.init(
                "no user's message bus is reached, so an alarm shows no notification: \(reason)",
                note: "Install dbus-user-session and log in again; over SSH the terminal shows the alarm.")
        case .notifications:
            self.init(
                "no notification server answers, so an alarm shows no notification: \(reason)",
                note: "Use a desktop that shows notifications, or install one such as dunst or mako.")
        case .manager:
            self.init(
                "no service manager of this user is reached, so an alarm needs a running counter: \(reason)",
                note: "Log in through logind (libpam-systemd), or leave counter running until the alarm.")
        case .lingering:
            self.init(
                "your service manager ends when you log out, so an alarm does not come after that: \(reason)",
                note: "loginctl enable-linger")
        }
    }
}
