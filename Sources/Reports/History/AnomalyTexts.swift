import CounterModel
import Transfer

extension Anomaly {
    /// The anomaly as a line of text, with times of a zone.
    func text(in zone: ZoneOffsets) -> String {
        func during(_ range: Range<Timestamp>) -> String {
            "from \(zone.shortText(of: range.lowerBound)) to \(zone.shortText(of: range.upperBound))"
        }
        switch self {
        case .overcrowding(let range, let highest): return "overcrowded \(during(range)), up to \(highest)"
        case .negativeDrift(let range, let lowest):
            return "more had left than entered \(during(range)), down to \(lowest)"
        case .silence(let range): return "silent \(during(range))"
        case .sequenceGap(let device, let first, let last, let at):
            let numbers = first == last ? "number \(first) is" : "numbers \(first) to \(last) are"
            return "\(device): \(numbers) missing, noticed \(zone.text(of: at))"
        case .restart(let device, let epoch, let at):
            return "\(device): its numbers started again (epoch \(epoch)) \(zone.text(of: at))"
        case .clockSkew(let device, let timestamp, let receivedAt):
            return
                "\(device): its clock said \(zone.text(of: timestamp)) when it was \(zone.text(of: receivedAt))"
        }
    }

    /// The anomaly as a JSON object, with local times and their offsets.
    func object(in zone: ZoneOffsets) -> JSONLine {
        var object = JSONLine()
        object.add("type", name)
        switch self {
        case .overcrowding(let range, let level), .negativeDrift(let range, let level):
            object.add("start", zone.rfc3339(range.lowerBound))
            object.add("end", zone.rfc3339(range.upperBound))
            object.add("level", level)
        case .silence(let range):
            object.add("start", zone.rfc3339(range.lowerBound))
            object.add("end", zone.rfc3339(range.upperBound))
        case .sequenceGap(let device, let first, let last, let at):
            object.add("start", zone.rfc3339(at))
            object.add("deviceId", device)
            object.add("first", first)
            object.add("last", last)
        case .restart(let device, let epoch, let at):
            object.add("start", zone.rfc3339(at))
            object.add("deviceId", device)
            object.add("epoch", epoch)
        case .clockSkew(let device, let timestamp, let receivedAt):
            object.add("start", zone.rfc3339(receivedAt))
            object.add("deviceId", device)
            object.add("timestamp", zone.rfc3339(timestamp))
        }
        return object
    }

    private var name: String {
        switch self {
        case .overcrowding: "overcrowding"
        case .negativeDrift: "negativeDrift"
        case .silence: "silence"
        case .sequenceGap: "sequenceGap"
        case .restart: "restart"
        case .clockSkew: "clockSkew"
        }
    }
}
