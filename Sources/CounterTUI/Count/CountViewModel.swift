import System

/// What the Count screen shows. The executable sets it after each committed change.
public struct CountViewModel: Hashable, Sendable {
    /// The committed count of the current location.
    public var level: Int
    /// The last change; nil before the first.
    public var lastChange: LastChange?
    /// Counts per minute; nil where there is nothing to tell.
    public var ratePerMinute: Int?
    /// The sources of volume keys, in the order in which they are shown.
    public var sources: [SourceStatus]
    /// Why no source can be read; nil where one can. Where every source is without access, the first one's reason
    /// and remedy are shown without this.
    public var problem: SourceProblem?
    /// Changes that wait to be stored; they are not part of `level`.
    public var notStored: Int
    /// What is wrong as long as nobody mends it, and how to, a sentence each; empty where nothing is.
    public var warning: [String]
    /// An error, or something to know; nil where there is nothing.
    public var notice: String?
    /// The name of the location; nil where it goes without saying.
    public var location: String?
    /// What stands out for a moment; nil at rest.
    public var flash: Flash?
    /// Whether entries by hand are allowed.
    public var mayChange = true

    /// What can stand out for a moment.
    public enum Flash: Hashable, Sendable {
        /// The number, after a reset.
        case number
        /// The notice, where something was refused or failed.
        case notice
    }

    /// A screen with `level` and nothing else.
    public init(level: Int = 0) {
        self.level = level
        lastChange = nil
        ratePerMinute = nil
        sources = []
        problem = nil
        notStored = 0
        warning = []
        notice = nil
        location = nil
        flash = nil
    }

    /// `Count 1234`: the word, a space, the decimal number. Screen readers and scripts read it.
    public var caption: String { "Count \(level)" }

    /// What stands in the terminal's title: the count, and where.
    public var title: String {
        guard let location else { return caption }
        return "\(caption) - \(location.harmless)"
    }

    /// The reason why nothing can be read, wherever it comes from; nil where something can.
    var unreadable: SourceProblem? {
        if let problem { return problem }
        guard let first = sources.first, sources.allSatisfy({ $0.state == .noAccess }) else { return nil }
        return SourceProblem(reason: first.reason ?? "no volume key can be read", remedy: first.remedy)
    }
}
