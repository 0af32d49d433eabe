import CounterModel
import Glibc
package import KeyProtocol
import Linux
package import VolumeInput

/// What an input device's keys do besides counting; the raw value is the state's name.
package enum DeviceState: String, Hashable, Sendable, CaseIterable {
    /// They count, and the system's volume does not change.
    case exclusive
    /// They count, and the system's volume changes too.
    case shared
    case noAccess = "no access"
}

/// The states of an input device's nodes, taken together.
package struct DeviceSummary {
    private let nodes: [(path: String, state: NodeState)]

    init(_ nodes: [(path: String, state: NodeState)]) { self.nodes = nodes }

    /// `.exclusive` only if all readable nodes are intercepted; `.noAccess` only if none can be read.
    package var state: DeviceState {
        let readable = nodes.filter { !$0.state.isUnreadable }
        if readable.isEmpty { return .noAccess }
        return readable.allSatisfy(\.state.isExclusive) ? .exclusive : .shared
    }

    private var decisive: (path: String, state: NodeState)? {
        let candidates = nodes.filter {
            state == .noAccess || !$0.state.isUnreadable && (state == .exclusive || !$0.state.isExclusive)
        }
        return candidates.first { $0.state.reason != nil } ?? candidates.first
    }

    package var reason: String? {
        guard let decisive else { return nil }
        return decisive.state.reason.map { "\(decisive.path) \($0)" }
    }

    package var remedy: String? { decisive?.state.remedy }

    /// Why the device is captured as it is, and what the user can do about it; `nil` where there is nothing to say or do.
    package func explained(by policy: CapturePolicy) -> (reason: String?, remedy: String?) {
        switch state {
        case .shared: policy.obstacle?.texts ?? (reason, remedy)
        case .exclusive, .noAccess: (reason, remedy)
        }
    }
}

extension InputDevice {
    package var present: DeviceSummary { DeviceSummary(nodes.map { ($0.path, $0.state) }) }

    /// The state that it would have while it is intercepted.
    package var planned: DeviceSummary { DeviceSummary(nodes.map { ($0.path, $0.plan) }) }
}

extension NodeState {
    package var isUnreadable: Bool { if case .noAccess = self { true } else { false } }

    /// Permission is missing: the remedy is on this machine, not at the device.
    package var isDenied: Bool { [.noAccess(errno: EACCES), .noAccess(errno: EPERM)].contains(self) }

    package var isExclusive: Bool {
        switch self {
        case .exclusive, .exclusiveUnannounced: true
        case .shared, .noAccess: false
        }
    }

    /// Completes a sentence that begins with the node's path.
    package var reason: String? {
        switch self {
        case .exclusive(let alsoTakes): alsoTakes ? "is grabbed with all of its keys" : nil
        case .exclusiveUnannounced:
            "is exclusive; a program that opens it meanwhile finds no volume keys on it"
        case .shared(let reason): reason.text
        case .noAccess(let errno): "cannot be opened: \(errorText(errno))"
        }
    }

    var remedy: String? {
        switch self {
        case .exclusive, .exclusiveUnannounced: nil
        case .shared(let reason): reason.remedy
        case .noAccess: isDenied ? "counter doctor --fix gives you access" : nil
        }
    }
}

extension SharedReason {
    var text: String {
        switch self {
        case .keyboard: "is a keyboard, which a grab would silence"
        case .pointer: "moves a pointer, which a grab would stop"
        case .switches: "carries switches, which a grab would silence"
        case .forceFeedback: "has force feedback, which a grab would stop"
        case .systemKeys: "carries power, sleep or brightness keys, which a grab would silence"
        case .otherKeys: "carries other keys, which a grab would silence"
        case .grabbedElsewhere: "is grabbed by another program, so its keys are not received"
        case .asConfigured: "is shared as configured"
        case .inBackground: "is not intercepted"
        case .waitingForRelease: "has a key down; it is intercepted once all are up"
        case .refused: "could not be intercepted: the kernel refused"
        case .noRuntimeDirectory: "is not intercepted, because no record of it can be written"
        case .otherUser: "is shared while another user is at the machine"
        case .otherSeat: "belongs to a seat where you are not, so nothing counts"
        case .yielded: "is left to counter practice while that is in the foreground, so nothing counts here"
        }
    }

    var remedy: String? {
        let remedies: [SharedReason: String] = [
            .grabbedElsewhere: "end the other program (keyd, another counter, …)",
            .noRuntimeDirectory:
                "set XDG_RUNTIME_DIR, as a login session does; as root, remove foreign files from /run/counter",
        ]
        return remedies[self]
    }
}

extension InputEnvironment {
    package var problem: (reason: String, remedy: String)? {
        switch self {
        case .ready: nil
        case .noDirectory:
            ("no input devices found", "plug a device in; in a container, pass /dev/input through")
        case .unreadable(let errno):
            ("/dev/input cannot be watched: \(errorText(errno))", "counter doctor tells more")
        }
    }
}

extension CapturePolicy.Obstacle {
    /// Why keys are not intercepted though they could be, and the remedy.
    var texts: (reason: String, remedy: String?) {
        switch self {
        case .switchedOff: ("not intercepted", "v intercepts again")
        case .otherUser: ("another user is at the machine", nil)
        case .background: ("in the background: nothing counts", "start with --always to count there too")
        case .configuration: ("as configured (intercept = never)", "start with --intercept auto")
        case .silentMultiplexer:
            (
                "tmux or screen does not report when to stop intercepting",
                "tmux set -g focus-events on, and start again; or start with --always"
            )
        case .silentTerminal:
            ("this terminal does not report when to stop intercepting", "start with --always")
        }
    }
}

extension ServiceFault {
    /// The reason, to follow `the counter-keys service`.
    package var reason: String {
        switch self {
        case .absent: "is not installed"
        case .unreachable(let error): "cannot be reached: \(error)"
        case .refused(let reason): "does not serve this program: \(reason)"
        case .silent: "does not answer"
        }
    }
}

extension InputDevice {
    /// Why a knob's detents are not counted; completes a sentence that begins with the name of the input device.
    package static var knobReason: String { "is a knob: its detents come too fast to be all counted" }

    /// The setting that counts them: short enough for every detent of the fastest turn (40 ms apart), long enough to suppress
    /// contact bounce.
    package var knobRemedy: String {
        "set debounce = \"20ms\" under [devices.\(Self.quoted(name))] in config.toml"
    }

    /// The name as a basic string of TOML, which is valid as a table's key.
    private static func quoted(_ name: String) -> String {
        let escaped = name.unicodeScalars.map { scalar in
            switch scalar {
            case "\"", "\\": "\\\(scalar)"
            case _ where scalar.properties.generalCategory == .control:
                "\\u" + scalar.value.padded(to: 4, radix: 16)
            default: String(scalar)
            }
        }
        return "\"\(escaped.joined())\""
    }
}
