import CounterTUI
import KeyProtocol
import VolumeInput

extension TerminalEvent.VolumeKey {
    /// The key that the counter counts.
    var counted: CountedKey {
        switch self {
        case .raise: .up
        case .lower: .down
        }
    }
}

extension TerminalEvent.Stroke {
    /// The changes of the key in one frame.
    func changes(of key: CountedKey) -> [KeyChange] {
        switch self {
        case .pressed: [KeyChange(key, isDown: true)]
        case .released: [KeyChange(key, isDown: false)]
        case .tapped: [KeyChange(key, isDown: true), KeyChange(key, isDown: false)]
        }
    }
}
