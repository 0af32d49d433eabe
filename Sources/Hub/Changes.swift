import CounterModel
import CounterStore
import Linux
import NIOHTTP1

/// `POST /v1/changes`: what an admin changes by hand, at one location. The body is one object, with members as rows have them:
///
/// ```
/// {"type":"in"}                                            one in, or one "out"
/// {"type":"correction","value":46,"reason":"counted"}      the count is 46; or with "delta", by so much
/// {"type":"endOfDay"}                                      the day ends now
/// ```
struct Change {
    private let call: Route.Call
    private let location: Location

    static func exchange(_ call: Route.Call) throws -> BodyExchange {
        guard let location = try call.location() else {
            throw refused("it names no location", remedy: "Add ?location=NAME.")
        }
        let change = Change(call: call, location: location)
        return BodyExchange(call, "the change", longest: 16_384) { body in
            try change.make(body)
            call.server.rowsWereAppended()
            return Answer(body: change.status + "\n")
        }
    }

    /// The status after the change. It is made: where its status cannot be read, an error would have it made again.
    private var status: String {
        let names: JSONLine = ["locationId": .text(location.id.text), "name": .text(location.name)]
        return (try? call.server.statusRows(of: [location]).first) ?? names.text
    }

    private static func refused(_ why: String, remedy: String? = nil) -> Problem {
        Problem(.badRequest, "the change is refused", why: why, remedy: remedy)
    }

    private func make(_ body: [UInt8]) throws {
        do {
            let fields = try LineFields(json: body[...])
            let reason = try Self.reason(fields)
            let type = try fields.required(.type)
            guard type == "correction" || fields[.value] == nil && fields[.delta] == nil else {
                throw LineError(why: "only a correction has value or delta")
            }
            switch type {
            case "in", "out":
                let type: EntryType = type == "in" ? .in : .out
                try append(
                    .entry(Entry(type, deviceId: Devices.commandLine, source: .manual, reason: reason)))
            case "correction":
                let amount = try Self.amount(fields)
                guard let reason else { throw LineError(why: "a correction has a reason") }
                let (content, work) = amount.correction(deviceId: Devices.commandLine, reason: reason)
                try append(content, work)
            case "endOfDay":
                let now = HubServer.now
                _ = try DayEnd(of: location, in: call.server.journal, now: now)
                    .end(at: now, by: call.token.name)
            default: throw LineError(why: "type is in, out, correction or endOfDay")
            }
        } catch let error as LineError { throw Self.refused(error.why) }
    }

    private static func reason(_ fields: LineFields) throws(LineError) -> String? {
        guard let reason = fields[.reason] else { return nil }
        guard ReasonRule.admitsTyped(reason) else { throw LineError(why: ReasonRule.typedText) }
        return reason
    }

    private static func amount(_ fields: LineFields) throws(LineError) -> Correction.Amount {
        guard fields[.value] == nil || fields[.delta] == nil else {
            throw LineError(why: "a correction has value or delta, not both")
        }
        if let value = try fields.number(.value) { return .to(value) }
        let difference = try fields.requiredNumber(.delta)
        guard Correction.admits(difference) else { throw LineError(why: Refusal.tooLarge.reason()) }
        return .by(difference)
    }

    private func append(_ content: RowContent, _ work: CounterModel.Request.Work = .append) throws {
        let now = HubServer.now
        let request = CounterModel.Request(
            locationId: location.id, userId: call.token.name, timestamp: now, content, work)
        let receipts = try call.server.journal.append([request], receivedAt: now)
        guard case .refused(let refusal) = receipts.first?.outcome, refusal != .sameLevel else { return }
        throw Problem(.conflict, "the change is refused", why: refusal.reason(at: location.name))
    }
}
