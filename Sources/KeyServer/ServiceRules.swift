import CEvdev
import KeyProtocol

/// What the service does for nobody, because it may open what its clients may not: a program of the user who is in front
/// must not learn from it what that user types, nor have it look through file systems of the program's choice.
///
/// A server that a program starts for itself has the user's own permissions, and no such rules.
enum ServiceRules {
    /// - Returns: why a message is not for the service; `nil` where it is.
    static func objection(to message: ClientMessage) -> MessageError? {
        switch message {
        case .configure(let meanings): meanings.codes.contains { isTyping($0.code) } ? .typing : nil
        case .only(let path): isInPlace(path) ? nil : .path
        case .ignore, .attend, .acknowledge: nil
        }
    }

    /// Letters, digits and signs, on the keypad and in braille too, and the keys that are pressed together with them. With
    /// 24 keys for each of some connections all of a keyboard could be read.
    static func isTyping(_ code: UInt16) -> Bool { typing.contains { $0.contains(Int32(code)) } }

    private static let typing: [ClosedRange<Int32>] = [
        KEY_1...KEY_CAPSLOCK, KEY_KP7...KEY_KPDOT, KEY_ZENKAKUHANKAKU...KEY_102ND, KEY_RO...KEY_LINEFEED,
        KEY_INSERT...KEY_DELETE, KEY_KPEQUAL...KEY_KPPLUSMINUS, KEY_KPCOMMA...KEY_RIGHTMETA,
        KEY_KPLEFTPAREN...KEY_KPRIGHTPAREN, KEY_DOLLAR...KEY_EURO, KEY_BRL_DOT1...KEY_BRL_DOT10,
        KEY_NUMERIC_0...KEY_NUMERIC_D, KEY_NUMERIC_11...KEY_NUMERIC_12,
    ]

    /// A node, or a link where only udev makes any: following one elsewhere may take for ever.
    private static func isInPlace(_ path: String) -> Bool {
        let parts = path.split(separator: "/", omittingEmptySubsequences: false).dropFirst()
        guard path.hasPrefix("/"), parts.first == "dev",
            !parts.contains(where: { ["", ".", ".."].contains($0) })
        else { return false }
        return parts.count == 2 || parts.count > 2 && parts.dropFirst().first == "input"
    }
}
