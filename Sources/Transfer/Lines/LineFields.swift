import CounterModel

/// The members of a line that a producer has sent, and what they mean.
struct LineMembers {
    /// Why a line cannot be taken, in words.
    struct Unusable: Error, Hashable {
        let why: String
    }

    private let members: [String: String]

    /// Reads a line.
    ///
    /// - Throws: `Unusable` where it is no JSON object in UTF-8.
    init(_ bytes: ArraySlice<UInt8>) throws(Unusable) {
        guard let members = FlatJSON.members(of: bytes) else { throw Unusable(why: "is no JSON object") }
        self.members = members
    }

    /// Whether it is a row of another journal, as `listen --json` tells it.
    var isRow: Bool { members["journal"] != nil && members["position"] != nil }

    /// A text of any kind.
    func text(_ name: String) -> String? { members[name] }

    /// A word such as an id: without control characters, which would disturb a terminal.
    func word(_ name: String) throws(Unusable) -> String? {
        guard let text = members[name] else { return nil }
        if text.holdsControlCharacter { throw Unusable(why: "\(name) holds a control character") }
        return text
    }

    /// A word that has to be there.
    func required(_ name: String) throws(Unusable) -> String {
        guard let text = try word(name) else { throw Unusable(why: "\(name) is missing") }
        return text
    }

    /// A whole number that may be there.
    func number(_ name: String) throws(Unusable) -> Int? {
        guard let text = members[name] else { return nil }
        guard let number = Int(text) else {
            throw Unusable(why: "\(name) is a whole number, not '\(text)'")
        }
        return number
    }

    /// A whole number that has to be there.
    func requiredNumber(_ name: String) throws(Unusable) -> Int {
        guard let number = try number(name) else { throw Unusable(why: "\(name) is missing") }
        return number
    }

    /// A time that may be there.
    func time(_ name: String) throws(Unusable) -> Timestamp? {
        guard let text = members[name] else { return nil }
        guard let time = Timestamp(iso8601: text) else {
            throw Unusable(why: "\(name) '\(text)' is no time such as 2026-01-14T13:03:59Z")
        }
        return time
    }

    /// A time that has to be there.
    func requiredTime(_ name: String) throws(Unusable) -> Timestamp {
        guard let time = try time(name) else { throw Unusable(why: "\(name) is missing") }
        return time
    }

    /// In or out, by `type`, by `delta`, or by both where they agree.
    func entryType() throws(Unusable) -> EntryType {
        let delta = try number("delta")
        guard let named = try word("type") else {
            guard let delta else { throw Unusable(why: "delta is missing") }
            guard let type = EntryType(delta: delta) else {
                throw Unusable(why: "delta is 1 or -1, not \(delta)")
            }
            return type
        }
        guard let type = EntryType(rawValue: named) else {
            throw Unusable(why: "type is in or out, not '\(named)'")
        }
        guard delta == nil || delta == type.delta else { throw Unusable(why: "type and delta do not agree") }
        return type
    }
}

extension LineMembers {
    /// The event of a device that the line tells of.
    func event() throws(Unusable) -> DeviceEvent {
        DeviceEvent(
            type: try entryType(), deviceId: try required("deviceId"),
            timestamp: try requiredTime("timestamp"),
            locationId: try word("locationId"), sequenceNumber: try number("sequenceNumber"))
    }
}
