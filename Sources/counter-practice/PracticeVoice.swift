import Glibc
import Linux
import Sound

/// The voice: speaks where it is switched on, at the volume of the settings.
final class PracticeVoice {
    private let isAlwaysOn: Bool
    private var speech: Speech?
    private var percent = 100

    /// - Parameter isAlwaysOn: speak, whatever the settings say.
    init(isAlwaysOn: Bool) { self.isAlwaysOn = isAlwaysOn }

    /// Says an English text; it interrupts what is being said.
    ///
    /// - Parameters:
    ///   - isOn: what the settings say.
    ///   - percent: the volume, 0...100. A new one begins a new connection, as it is told once.
    /// - Returns: why nothing can be said; `nil` where that is not known.
    func say(_ text: String, isOn: Bool, percent: Int, at now: MonotonicTime) -> String? {
        guard isAlwaysOn || isOn else { return nil }
        let speech = self.percent == percent ? self.speech : nil
        let current = speech ?? Speech(language: "en", volume: 2 * percent - 100)
        if speech == nil { (self.speech, self.percent) = (current, percent) }
        return current.say(text, at: now)
    }

    /// How many texts were spoken to their end since the last call.
    func takeCompleted() -> Int { speech?.takeCompleted() ?? 0 }

    var deadline: MonotonicTime? { speech?.deadline }
    func watch(_ polled: inout PollSet) { speech?.watch(&polled) }

    /// - Returns: why nothing can be said; `nil` where nothing is wrong.
    func handle(_ polled: PollSet, at now: MonotonicTime) -> String? { speech?.handle(polled, at: now) }
}

/// Opens addresses in the desktop's browser by `xdg-open`.
final class LinkOpener {
    private var processes: [DetachedProcess] = []

    /// Opens an address, without waiting.
    ///
    /// - Parameter link: one that was made from a video's ID, never one that somebody typed.
    /// - Returns: why it cannot be opened; the screen shows the address then.
    func open(_ link: String) -> String? {
        reap()
        guard DesktopSession.hasDisplay else {
            return "There is no desktop here: open the address elsewhere."
        }
        do throws(SystemCallError) {
            processes.append(try DetachedProcess(["xdg-open", link]))
            return nil
        } catch {
            return error.errno == ENOENT ? "xdg-open is missing: install xdg-utils." : "\(error)"
        }
    }

    func reap() { processes.removeAll { $0.endStatus() != nil } }
}
