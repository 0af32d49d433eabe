import CounterModel
import Glibc
import TestSupport

@testable import Practice

/// A workplace with players, and the program in it. The PIN is 4711.
final class PracticePlace {
    let place: Workplace
    let folder: PracticeFolder
    /// Programs that tests put into the PATH.
    let tools: ScratchFolder

    /// The PIN, made once: `crypt(3)` is for one thread at a time.
    static let pin = PIN("4711")

    /// Mia and Noah, who have not played.
    static let players = [
        PlayerData(id: "a1", name: "Mia", avatar: .cat, createdAt: Timestamp(seconds: 1_795_000_000)),
        PlayerData(id: "b2", name: "Noah", avatar: .frog, createdAt: Timestamp(seconds: 1_795_000_001)),
    ]

    init(
        players: [PlayerData] = PracticePlace.players, environment: [String: String?] = [:],
        _ change: (inout AppSettings) -> Void = { _ in }
    ) throws {
        tools = try ScratchFolder()
        place = try Workplace(
            environment: [
                "COUNTER_KEYS_SOCKET": "", "SPEECHD_ADDRESS": nil, "DISPLAY": nil, "WAYLAND_DISPLAY": nil,
            ].merging(environment) { $1 })
        folder = PracticeFolder(below: place.directory)
        mkdir(folder.path, 0o700)
        let store = try SettingsStore(folder.settingsPath, makes: true)
        var settings = AppSettings(appVersion: "0.1.0")
        settings.audioEnabled = false
        change(&settings)
        try store.save(settings)
        try store.set(Self.pin)
        for player in players { try add(player) }
    }

    /// The program in a terminal, at the selection of players.
    func open(
        _ options: [String] = [], columns: Int = 80, rows: Int = 24, environment: [String: String?] = [:]
    ) throws -> TerminalSession {
        let terminal = try place.open(
            ["practice"] + (options.isEmpty ? [] : ["play"] + options), columns: columns, rows: rows,
            environment: environment)
        try terminal.waitForText("Who plays?")
        return terminal
    }

    /// A player as stored.
    func player(_ id: String = "a1") throws -> PlayerData {
        try PlayerStore(id, in: folder).player()
    }

    /// The settings as stored.
    func settings() throws -> AppSettings? {
        try SettingsStore(folder.settingsPath, makes: false).settings()
    }

    /// The PATH with the tools of the test in front.
    var path: String { "\(tools.path):\(getenv("PATH").map { String(cString: $0) } ?? "")" }
}

extension TerminalSession {
    static let right = "\u{1B}[C"

    /// Goes on with the arrow key until a card or a row of the list is reached, chooses it, and waits for what is shown then.
    func choose(_ card: String, then text: String) throws {
        var screen = try waitForScreen("cards") { $0.position != nil }
        for _ in 0..<16 {
            if screen.isAt(card) {
                try type("\r")
                try waitForText(text)
                return
            }
            let next = screen.position.map { $0.number % $0.count + 1 }
            try type(Self.right)
            screen = try waitForScreen("the next card") { $0.position?.number == next }
        }
        throw SupportError.refused(by: "practice", why: "there is no card \(card):\n\(try self.screen())")
    }

    /// Goes back with Escape, and waits for what is shown then.
    func leave(to text: String = "Who plays?") throws {
        try sendKey("Escape")
        try waitForText(text)
    }

    /// Leaves a level with Escape, says that it is meant, and waits for what is shown then.
    func quit(to text: String = " of 6") throws {
        try leave(to: "Stop this level?")
        try choose("Home", then: text)
    }

    /// Begins with the player at the selection, past the warning that other programs may receive the keys.
    func begin(_ name: String = "Mia") throws {
        try choose(name, then: " left")
        let screen = try waitForScreen("home") { $0.contains(" of 6") || $0.contains(" go on]") }
        if !screen.contains(" of 6") { try type("\r") }
        try waitForText(" of 6")
    }

    /// Chooses something in the treasure, says that it is meant, and waits for what is shown then.
    func buy(_ offer: String, then text: String) throws {
        try choose(offer, then: " coins?")
        try choose("Yes", then: text)
    }

    /// Opens the dashboard.
    func administer(pin: String = "4711", then text: String = "Back to the players") throws {
        try choose("Grown-up", then: "PIN of the grown-up")
        try type("\(pin)\r")
        try waitForText(text)
    }

    /// Counts the pips of the dice, and presses up for each.
    func solveDice() throws {
        try choose("Dice", then: " done]")
        let pips = try screen().pips
        for _ in 0..<pips { try type(Self.right) }
        try waitForScreen("\(pips) presses") { $0.dots == pips }
        try type("\r")
        try waitForText("Solved!")
        try type("\r")
        try waitForText(" of 6")
    }
}

extension Screen {
    /// Whether it shows a card of that title, or a list whose marked row has it.
    fileprivate func isAt(_ card: String) -> Bool {
        let rows = lines.map { $0.drop { $0 == " " } }
        if let marked = rows.first(where: { $0.hasPrefix("> ") }) { return marked.hasPrefix("> \(card)") }
        return rows.contains { row in
            let words = row.filter { !"│|/\\<>".contains($0) }.split(separator: " ")
            return words.joined(separator: " ") == card
        }
    }
}

extension PracticePlace {
    /// Makes the file of another player.
    func add(_ player: PlayerData) throws {
        try PlayerStore(player.id, in: folder, makes: true).save(PlayerChange(player: player))
    }

    /// Adds seconds to the wall clock and to the clock that nobody sets: the numbers in the file `COUNTER_TEST_CLOCKS`.
    private static let clocks = """
        #include <cstdio>
        #include <cstdlib>
        #include <time.h>
        #include <unistd.h>
        #include <sys/syscall.h>
        #include <sys/timerfd.h>
        static void read_offsets(long &wall, long &steady) {
            wall = steady = 0;
            FILE *file = fopen(getenv("COUNTER_TEST_CLOCKS"), "r");
            if (!file) return;
            if (fscanf(file, "%ld %ld", &wall, &steady) != 2) wall = steady = 0;
            fclose(file);
        }
        extern "C" int clock_gettime(clockid_t clock, timespec *time) noexcept {
            int result = syscall(SYS_clock_gettime, clock, time);
            long wall, steady;
            read_offsets(wall, steady);
            if (clock == CLOCK_REALTIME) time->tv_sec += wall;
            if (clock == CLOCK_MONOTONIC) time->tv_sec += steady;
            return result;
        }
        extern "C" int timerfd_settime(int timer, int flags, const itimerspec *value, itimerspec *old) noexcept {
            itimerspec real = *value;
            long wall, steady;
            read_offsets(wall, steady);
            bool is_armed = real.it_value.tv_sec || real.it_value.tv_nsec;
            if (flags & TFD_TIMER_ABSTIME && is_armed) {
                real.it_value.tv_sec -= steady;
                // A moment before the start is one that is past; zero would disarm.
                if (real.it_value.tv_sec < 0) real.it_value = {0, 1};
            }
            return syscall(SYS_timerfd_settime, timer, flags, &real, old);
        }
        """

    /// The variables of a program whose wall clock is ahead. What is written to the tool `clocks` then holds at once.
    func clocks(ahead seconds: Int) throws -> [String: String?] {
        try tools.write("clocks", "\(seconds) 0")
        return try place.library("clocks", Self.clocks).mapValues { $0 }.merging([
            "COUNTER_TEST_CLOCKS": tools.path(of: "clocks")
        ]) { $1 }
    }
}
