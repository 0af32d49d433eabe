import System

/// One source of volume keys, as the Count screen shows it.
public struct SourceStatus: Hashable, Sendable {
    /// What its keys do beside counting.
    public enum State: String, Hashable, Sendable, CaseIterable {
        /// They count, and the system's volume stands still.
        case held
        /// They count, and the system's volume moves too.
        case shared
        /// They cannot be read.
        case noAccess = "no access"
    }

    /// What the device calls itself, without anything that would disturb a terminal.
    public let name: String
    /// What its keys do.
    public let state: State
    /// Why it is so; nil where there is nothing to say.
    public let reason: String?
    /// What to do about it; nil where there is nothing to do.
    public let remedy: String?

    /// A source. `name` may hold anything: what is not plain text is made harmless.
    public init(name: String, state: State, reason: String? = nil, remedy: String? = nil) {
        self.name = name.harmless.isEmpty ? "?" : name.harmless
        self.state = state
        self.reason = reason?.harmless
        self.remedy = remedy?.harmless
    }
}

/// Why no source can be read at all.
public struct SourceProblem: Hashable, Sendable {
    /// Why, as a sentence without its full stop: `no device with volume keys was found`.
    public let reason: String
    /// What to do about it; nil where nobody knows.
    public let remedy: String?
    /// The same at length, a paragraph each, for who asks; empty where `remedy` says it all.
    public let instructions: [Instruction]

    /// A paragraph of what to do.
    public enum Instruction: Hashable, Sendable {
        /// A sentence, or some.
        case text(String)
        /// A command, to be typed in another terminal.
        case command(String)
    }

    /// A problem with its remedy.
    public init(reason: String, remedy: String? = nil, instructions: [Instruction] = []) {
        self.reason = reason.harmless
        self.remedy = remedy?.harmless
        self.instructions = instructions
    }
}

/// The last change of the count.
public struct LastChange: Hashable, Sendable {
    /// What it did.
    public enum Kind: String, Hashable, Sendable, CaseIterable {
        /// One more.
        case up = "+1"
        /// One less.
        case down = "-1"
        /// Set to an absolute value.
        case reset
        /// The change before was taken back.
        case undone
    }

    /// What it did.
    public let kind: Kind
    /// When, in local time and as it is to be read: `14:03:22`.
    public let time: String

    /// A change at `time`.
    public init(_ kind: Kind, time: String) {
        self.kind = kind
        self.time = time.harmless
    }
}
