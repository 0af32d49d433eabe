import Glibc
import KeyProtocol
import Linux
import VolumeInput

/// One look at the connected input devices, without reading a key.
struct DeviceSurvey {
    private static let timeout = Duration.seconds(5)

    let environment: InputEnvironment
    let inputDevices: [InputDevice]
    /// Why the system's service did not answer; `nil` where it did.
    let serviceFault: ServiceFault?

    /// Asks a key server: the system's, or one that this program starts and ends.
    ///
    /// - Parameters:
    ///   - settings: which devices, and which of their keys.
    ///   - captureMode: the capture mode for this moment.
    ///   - ignored: the stable ids of input devices to leave alone.
    /// - Throws: `ProgramError` (69) where there is no server to ask.
    init(_ settings: Settings, captureMode: CaptureMode = .off, ignoring ignored: Set<Identifier> = []) throws
    {
        var request = settings.keys
        request.ignoredDevices = ignored
        let client = KeyClient(
            executable: try Paths.keyServer(), service: ProgramFiles.keyService, settings: request)
        let listener = VolumeListener(client: client, timing: settings.timing(of:))
        _ = listener.capture(captureMode, at: .now)
        let end = MonotonicTime.now + Self.timeout
        while listener.environment == nil {
            try Self.failOnTrouble(listener.receive(at: .now))
            guard listener.environment == nil else { break }
            var polled = PollSet()
            listener.watch(&polled)
            try polled.wait(until: end)
            if MonotonicTime.now >= end {
                throw ProgramError("counter-keys does not answer", status: EX_UNAVAILABLE)
            }
        }
        environment = listener.environment ?? .ready
        inputDevices = listener.inputDevices
        serviceFault = listener.serviceFault
    }

    private static func failOnTrouble(_ events: [ListenerEvent]) throws(ProgramError) {
        for case .trouble(let text) in events {
            throw ProgramError(
                text, remedy: "Install counter and counter-keys together.", status: EX_UNAVAILABLE)
        }
    }
}
