import CounterModel
import Reports

/// The options of a preset as one text: `lead-in, last minute, urgent, discard, volume 40`. What is not named is as usual.
enum TimerOptionWords {
    /// What may be written.
    static let hint =
        "Any of: lead-in (3 s), last minute (says when one is left), urgent, discard (leaves the list), volume 40. Or empty."

    /// The lead-in in seconds where the text asks for one.
    private static let leadInSeconds = 3

    /// Reads the options into a setup. A lead-in of another length stays where the text still names one.
    ///
    /// - throws: What the text should be.
    static func read(_ text: String, into setup: inout TimerSetup) throws(FieldProblem) {
        let before = setup
        setup.leadInSeconds = 0
        setup.announcesLastMinute = false
        setup.isUrgent = false
        setup.endAction = .preserve
        setup.volume = TimerSetup.fullVolume
        for part in text.split(separator: ",") {
            let words = part.lowercased().split { $0.isWhitespace || $0 == "-" }
            switch words.joined(separator: " ") {
            case "": break
            case "lead in":
                setup.leadInSeconds = before.leadInSeconds > 0 ? before.leadInSeconds : leadInSeconds
            case "last minute": setup.announcesLastMinute = true
            case "urgent": setup.isUrgent = true
            case "discard": setup.endAction = .discard
            default: setup.volume = try volume(words, of: LabelSanitizer.label(part))
            }
        }
    }

    private static func volume(_ words: [Substring], of part: String) throws(FieldProblem) -> Int {
        guard words.count == 2, words[0] == "volume", let number = Int(words[1]) else {
            throw FieldProblem("'\(part)' is none of lead-in, last minute, urgent, discard, volume")
        }
        guard 0...TimerSetup.fullVolume ~= number else {
            throw FieldProblem("the volume is 0 to \(TimerSetup.fullVolume)")
        }
        return number
    }
}
