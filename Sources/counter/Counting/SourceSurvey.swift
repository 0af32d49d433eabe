import Descriptors
import Glibc
import VolumeInput

/// One look at the sources that are there, without holding any or hearing a key.
struct SourceSurvey {
    private static let patience = Duration.seconds(5)

    let environment: InputEnvironment
    let sources: [Source]

    /// Asks a key server of its own, and ends it.
    ///
    /// - Throws: `Failure` (69) where there is none to ask.
    init(_ settings: Settings) throws {
        var request = KeyClientSettings()
        request.meanings = settings.meanings
        request.onlyPaths = settings.devicePaths
        let client = KeyClient(executable: try Paths.keyServer(), settings: request)
        let listener = VolumeListener(client: client, timing: settings.timing(of:))
        _ = listener.attend(.away, at: .now)
        let end = MonotonicTime.now + Self.patience
        while listener.environment == nil {
            try Self.failOnTrouble(listener.receive(at: .now))
            guard listener.environment == nil else { break }
            var polled = PollSet()
            if let number = listener.number { polled.add(number) }
            try polled.wait(until: end)
            if MonotonicTime.now >= end {
                throw Failure("counter-keys does not answer", status: EX_UNAVAILABLE)
            }
        }
        environment = listener.environment ?? .ready
        sources = listener.sources
    }

    private static func failOnTrouble(_ events: [ListenerEvent]) throws(Failure) {
        for case .trouble(let text) in events {
            throw Failure(text, remedy: "Install counter and counter-keys together.", status: EX_UNAVAILABLE)
        }
    }
}
