import Adapters
import CounterModel
import CounterStore
import Linux
import NIOHTTP1
import Reports
import Transfer

/// `POST /v1/devices/…`: a message of a device, as an adapter reads it. The answer is a list of what became of its items.
struct DeviceMessage {
    /// Many devices do not send again.
    private static let patience = Duration.milliseconds(3_500)

    private let call: Route.Call
    private let location: Location?
    private let place: String

    static func exchange(_ call: Route.Call) throws -> BodyExchange {
        let message = try DeviceMessage(call)
        return BodyExchange(call, "the message", longest: Message.longest, patience: patience, message.take)
    }

    private init(_ call: Route.Call) throws {
        guard let place = String(percentEncoded: call.request.path[...]) else {
            throw Problem(
                .badRequest, "the message is refused", why: "its path is not encoded as UTF-8 with %XX")
        }
        if call.server.tokens.token(for: place.split(separator: "/").last.map(String.init) ?? "") != nil {
            throw Problem(
                .badRequest, "the message is refused",
                why: "its path ends with a token, and it has another one beside it",
                remedy: "Leave one of them out.")
        }
        (self.call, self.place) = (call, place)
        let share = call.server.tokens.share(of: call.token)
        try share.require()
        share.take(1)
        try call.request.refuseContentCoding()
        location = try call.location()
    }

    private func take(_ body: [UInt8]) throws -> Answer {
        let type = call.request.head.headers.first(name: "content-type")
        let text: [UInt8]
        do throws(LineError) { text = try MultipartText.text(in: body, type: type) } catch {
            throw Problem(.badRequest, "the message is refused", why: error.why)
        }
        let message = Message(text, at: place, receivedAt: HubServer.now)
        guard let outcomes = try call.server.readings.take(message, place: location(of:_:_:)) else {
            throw Problem(
                .notFound, "the message is refused", why: "no adapter is for \(place)",
                remedy: "To list them: counter-hub adapter list")
        }
        call.server.committed()
        // Of several adapters for one path, those that understand something.
        let telling = Set(outcomes.filter { !$0.isPassed }.map(\.adapter?.name))
        call.server.readings.note(outcomes, at: place)
        let told = outcomes.filter { telling.isEmpty || telling.contains($0.adapter?.name) }
        let rows = told.map(ReadingOutcome.table.json).joined(separator: ",\n ")
        // What is refused will never be taken; a device that is told so does not send it again.
        let isTaken = outcomes.contains { $0.verdict != nil || $0.isUp != nil }
        let isRefused = !isTaken && outcomes.contains(where: \.isRefused)
        return Answer(status: isRefused ? .badRequest : .ok, body: "[\(rows)]\n")
    }

    /// By the file, by the request, by what is set of the device, by where it counted last, by the token.
    private func location(of device: Identifier, _ named: Identifier?, _ last: Identifier?) throws -> Location
    {
        let (token, ingestion) = (call.token, call.server.session.ingestion)
        let assigned = ingestion.assignedLocation(of: device)
        let id =
            named ?? location?.id ?? assigned ?? last.flatMap { token.admits($0) ? $0 : nil }
            ?? token.locations.first ?? ingestion.ownLocation
        // Who may not count where a device does has no say in how it is judged either, unless it was moved.
        let isMoved = id == named || id == assigned
        let mayJudge = isMoved || last.map(token.admits) ?? true
        guard token.admits(id), mayJudge, let found = try call.server.journal.location(named: id.text) else {
            let other = token.admits(id) ? last ?? id : id
            let name = try call.server.journal.location(named: other.text)?.name ?? other.text
            throw Problem(
                .forbidden, "the message is refused",
                why: "'\(device)' counts into '\(name)', which is no location of this token",
                remedy:
                    "Send it with a token of that location, or move it: counter device assign \(device.text.quotedForShell) LOCATION"
            )
        }
        return found
    }
}
