import Glibc
import System

extension ZoneDatabase {
    /// The IANA name of the local time zone: `TZ` where it names one, else the target of `/etc/localtime`, else `UTC`.
    public var localZone: String {
        if let zone = environmentVariable("TZ").flatMap(zone(ofVariable:)) { return zone }
        guard let target = realpath("/etc/localtime", nil) else { return "UTC" }
        defer { free(target) }
        return zone(inPath: String(cString: target)) ?? "UTC"
    }

    /// The zone that `TZ` names, in the form of tzset(3): a name or a path, either after an optional colon, or empty for
    /// UTC; `nil` for a rule such as `CET-1CEST`, which has no name.
    private func zone(ofVariable variable: String) -> String? {
        if variable.isEmpty { return "UTC" }
        let name = String(variable.hasPrefix(":") ? variable.dropFirst() : variable[...])
        let zone = name.hasPrefix("/") ? zone(inPath: name) : name
        return zone.flatMap { (try? require($0)) == nil ? nil : $0 }
    }

    private func zone(inPath path: String) -> String? {
        let name = path.split(separator: "/").drop { $0 != "zoneinfo" }.dropFirst()
        return name.isEmpty ? nil : name.joined(separator: "/")
    }
}
