import Alarms
import CounterModel
import CounterStore
import Linux
import Reports

/// Checks what the sounds, the speech and the alarms that are used need.
struct RingerCheck {
    let settings: Settings

    /// The problems found.
    var findings: [Finding] {
        let parts =
            (settings.cues.sounds.isEmpty ? [] : [RingerPart.sound])
            + (settings.cues.spoken == .never ? [] : [.speech]) + (hasTimers ? alarmParts : [])
        return RingerSurvey(executable: Paths.ringer, parts: parts).problems
            .map { Finding($0.problem, remedy: $0.remedy) }
    }

    /// Whether the journal has timers or presets.
    private var hasTimers: Bool {
        var board = TimerBoard()
        do {
            try SQLiteJournal.existing(settings).update(&board)
        } catch { return false }
        return !board.all.isEmpty || !board.allPresets.isEmpty
    }

    /// A desktop shows notifications; whoever comes over the network leaves, and their service manager with them.
    private var alarmParts: [RingerPart] {
        [.bus, .manager] + (DesktopSession.hasDisplay ? [.notifications] : [])
            + (DesktopSession.isRemote ? [.lingering] : [])
    }
}
