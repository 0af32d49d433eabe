import Glibc
import KeyProtocol
import System
import VolumeInput

/// One look at the sources that are there, without hearing a key.
struct SourceSurvey {
    private static let patience = Duration.seconds(5)

    let environment: InputEnvironment
    let sources: [Source]
    /// Why the system's service was not the one to ask; `nil` where it was.
    let serviceFault: ServiceFault?

    /// Asks a key server: the system's, or one of its own, which it ends.
    ///
    /// - Parameters:
    ///   - settings: which devices, and which of their keys.
    ///   - attention: what is done with the keys for this moment.
    ///   - ignored: sources that are left alone, by their stable ids.
    /// - Throws: `Failure` (69) where there is none to ask.
    init(_ settings: Settings, attention: Attention = .away, ignoring ignored: Set<String> = []) throws {
        var request = KeyClientSettings()
        request.meanings = settings.meanings
        request.onlyPaths = settings.devicePaths
        request.ignoredSources = ignored
        let client = try KeyClient(asking: request)
        let listener = VolumeListener(client: client, timing: settings.timing(of:))
        _ = listener.attend(attention, at: .now)
        let end = MonotonicTime.now + Self.patience
        while listener.environment == nil {
            try Self.failOnTrouble(listener.receive(at: .now))
            guard listener.environment == nil else { break }
            var polled = PollSet()
            listener.watch(&polled)
            try polled.wait(until: end)
            if MonotonicTime.now >= end {
                throw Failure("counter-keys does not answer", status: EX_UNAVAILABLE)
            }
        }
        environment = listener.environment ?? .ready
        sources = listener.sources
        serviceFault = listener.serviceFault
    }

    private static func failOnTrouble(_ events: [ListenerEvent]) throws(Failure) {
        for case .trouble(let text) in events {
            throw Failure(text, remedy: "Install counter and counter-keys together.", status: EX_UNAVAILABLE)
        }
    }
}
