import ArgumentParser
import CounterModel
import CounterStore
import Counting
import Glibc
import Linux
import Transfer

/// Another program, which this process becomes: `counter` itself has no connection to other machines.
struct SyncCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "sync",
        abstract: "Keeps the shared locations of this machine and another one the same.",
        discussion: """
            It runs counter sync --serve on the other machine over SSH, sends the rows that it lacks, takes those that are \
            lacking here, and goes on until SIGTERM or SIGINT (Ctrl-C). Where the connection breaks it connects again; what was \
            counted meanwhile follows. Only locations that are shared on both travel: counter location share NAME on one \
            machine, counter sync --join NAME PEER on the other. The other machine may also be a hub: https://HOST:PORT, with a token \
            of counter-hub token add NAME --door, and #sha256=FINGERPRINT behind it where it has a certificate of its own.

            For example: counter sync --join all ada@office, then systemctl --user enable --now counter-sync@ada@office
            """)

    @OptionGroup var journal: JournalOptions
    @Flag(help: "Speaks over standard input and output: what the other machine runs.") var serve = false
    @Flag(help: "Ends once both machines hold the same rows.") var once = false
    @Option(
        help: ArgumentHelp(
            "Joins a location that the peer shares, or all, and catches up.", valueName: "name|all"))
    var join: String?
    @Option(
        help: ArgumentHelp(
            "Runs this command of the shell in place of ssh; it leads to counter sync --serve.",
            valueName: "command"))
    var command: String?
    @Option(
        help: ArgumentHelp(
            "The file with the token of the hub.",
            discussion: "Default: the token in COUNTER_HUB_TOKEN, or hub-token beside the configuration",
            valueName: "file"), completion: .file())
    var tokenFile: String?
    @Flag(help: "Sends the token to a hub on another machine without TLS, in a network where nobody listens.")
    var insecure = false
    @Flag(help: "Prints with which machines this one syncs, and when they were last reached.") var status =
        false
    @Flag(help: "With --status: an object for each.") var json = false
    @Option(
        help: ArgumentHelp(
            "Says no more of a machine, as --status names it, until it is reached again.", valueName: "peer"))
    var forget: String?
    @Flag(
        help: ArgumentHelp(
            "Continues under a new journal id, after an earlier copy of this journal was put back and counted on.",
            discussion:
                "What was counted since, and another machine has other rows for, has the new id too: both count."
        ))
    var fork = false
    @Argument(
        help: ArgumentHelp(
            "The other machine, as for ssh: host or user@host; or the address of a hub.", valueName: "peer"))
    var peer: String?

    private var isHub: Bool { peer?.contains("://") ?? false }

    func validate() throws {
        if json, !status { throw ValidationError("--json is for --status") }
        if [serve, once, join != nil, status, forget != nil, fork].count(where: \.self) > 1 {
            throw ValidationError("--serve, --once, --join, --status, --forget and --fork exclude each other")
        }
        let isAlone = serve || status || forget != nil || fork
        if isAlone, peer != nil || command != nil {
            let option = serve ? "serve" : status ? "status" : fork ? "fork" : "forget"
            throw ValidationError("--\(option) takes no other machine and no --command")
        }
        if !isAlone, peer == nil { throw ValidationError("the other machine is missing: counter sync PEER") }
        if isHub, command != nil { throw ValidationError("a hub is reached without --command") }
        if !isHub, tokenFile != nil || insecure {
            throw ValidationError("--token-file and --insecure are for a hub, such as https://hub:8484")
        }
        if let peer, peer.isEmpty || peer.hasPrefix("-") { throw ValidationError("'\(peer)' is no machine") }
    }

    func run() throws {
        let settings = try Settings(journal.layer)
        if status { return try printStatus(of: SQLiteJournal.existing(settings)) }
        // A viewer is refused, and a journal that cannot be changed is told of, in the words of all commands.
        let opened = try SQLiteJournal.openedToChange(settings)
        let directory = opened.directory
        if fork { return try opened.forkWhereOthersDiffer() }
        if let forget {
            guard SyncStatus.forget(forget, in: directory) else {
                throw ProgramError(
                    "this journal is not synced with '\(forget)'",
                    remedy: "To see with which machines it is: counter sync --status", status: EX_UNAVAILABLE)
            }
            return
        }
        let call =
            serve
            ? ["serve"]
            : [join == nil ? "connect" : "join", peer ?? ""] + way + [join ?? (once ? "once" : "live")]
        try ProgramFiles.become(
            "counter-sync",
            ["sync", directory, settings.allowsNetworkFileSystem ? "network" : "local"] + call)
    }

    /// WAY and ARGUMENT of counter-sync.
    private var way: [String] {
        if isHub { return [insecure ? "insecure-hub" : "hub", tokenFile ?? ""] }
        return command.map { ["command", $0] } ?? ["ssh", ""]
    }

    private func printStatus(of journal: SQLiteJournal) throws {
        let now = WallClock().now
        let all = SyncStatus.machines(of: journal.directory, at: now)
        if all.isEmpty, !json {
            return Output.note(
                "this journal is synced with no other machine", remedy: "To begin: counter sync PEER")
        }
        for status in all {
            if json {
                try Output.line(status.json(journal, at: now))
                continue
            }
            try Output.line("\(status.peer): \(try status.words(journal, at: now))")
            for line in [status.why, status.remedy].compactMap(\.self) + status.notices {
                try Output.line("  \(line)")
            }
        }
    }
}

extension SQLiteJournal {
    /// Continues under a new id from the first row on that another machine was found to hold another row for.
    fileprivate func forkWhereOthersDiffer() throws {
        let known = SyncStatus.all(of: directory).filter { $0.forkedAt != nil }
        guard let position = known.compactMap(\.forkedAt).min() else {
            throw ProgramError(
                "no machine that this one syncs with was found to hold other rows of this journal",
                remedy: "To see what the connections have ended with: counter sync --status",
                status: EX_UNAVAILABLE)
        }
        let now = WallClock().now
        let rows = try fork(at: position, now: now)
        for var status in known {
            (status.forkedAt, status.why, status.remedy) = (nil, nil, nil)
            status.write(at: now)
        }
        try Output.line(
            "\(rows == 1 ? "1 row has" : "\(rows) rows have") a new journal id, from row \(position.number) on; "
                + "counter sync takes the others over at the next connection")
    }
}
