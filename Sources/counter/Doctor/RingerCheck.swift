import Reports
import RingerClient
import RingerProtocol

/// Checks what the sounds and the speech that are switched on need.
struct RingerCheck {
    let settings: Settings

    /// The problems found.
    var findings: [Finding] {
        let parts =
            (settings.cues.sounds.isEmpty ? [] : [RingerPart.sound])
            + (settings.cues.spoken == .never ? [] : [.speech])
        return RingerSurvey(executable: Paths.ringer, parts: parts).problems
            .map { Finding($0.problem, remedy: $0.remedy) }
    }
}
