import ArgumentParser
import CounterModel
import CounterStore
import Linux

/// What shells offer as values of options and arguments. A journal that cannot be read offers nothing.
extension CompletionKind {
    /// The ids of the visible locations.
    static let locations = custom { words, _, _ in
        offered(words) { try $0.locations().filter { !$0.isHidden }.map(\.id.text) }
    }

    /// The groups of locations.
    static let groups = custom { words, _, _ in
        offered(words) { Array(Set(try $0.locations().compactMap(\.group))).sorted() }
    }

    /// The ids of the known devices, without those of counts by hand.
    static let devices = custom { words, _, _ in
        offered(words) { try $0.devices().map(\.id).filter { !Devices.byHand.contains($0) }.map(\.text) }
    }

    /// The timers in the list, by number.
    static let timers = custom { words, _, _ in
        offered(words) { try TimerAccess($0).numbers }
    }

    /// The presets in the list, by label.
    static let presets = custom { words, _, _ in
        offered(words) { try TimerAccess($0).board.presets.map(\.setup.title) }
    }

    /// Ranges of history.
    static let ranges = custom { _, _, _ in
        quoted([
            "today", "yesterday", "10min", "1h", "24h", "7d", "30d", "this week", "last week", "this month",
            "last month",
        ])
    }

    // The command line so far may name the directory of the journal.
    private static func offered(_ words: [String], _ names: (SQLiteJournal) throws -> [String]) -> [String] {
        var layer: SettingLayer = [:]
        if let option = words.lastIndex(of: "--data-dir"), option + 1 < words.count {
            layer = .options([.dataDirectory: [words[option + 1]]])
        }
        let found = try? names(SQLiteJournal.existing(try Settings(layer)))
        return quoted(found ?? [])
    }

    /// The shells fish and zsh quote what they insert. In bash the words pass `compgen -W`, which takes one level of
    /// quotes off, and are then inserted as they are.
    private static func quoted(_ words: [String]) -> [String] {
        guard environmentVariable("SAP_SHELL") == "bash" else { return words }
        return words.map { $0.escapedForBash.escapedForBash }
    }
}

extension String {
    private static let literal = Set(
        "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-_./,+@%=".unicodeScalars)

    /// With a backslash before each ASCII character that bash may interpret.
    fileprivate var escapedForBash: String {
        var text = String.UnicodeScalarView()
        for scalar in unicodeScalars {
            if scalar.isASCII && !Self.literal.contains(scalar) { text.append("\\") }
            text.append(scalar)
        }
        return String(text)
    }
}
