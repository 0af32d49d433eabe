/// Which physical thing a node belongs to: nodes with an equal key are one source.
public enum SourceKey: Hashable, Sendable {
    /// The machine's own keys, on however many nodes.
    case machine
    /// A Bluetooth device by its address.
    case address(String)
    /// A device by the port that it hangs on.
    case port(String)
    /// Nothing tells more nodes apart from others: the node alone, by its file name.
    case node(String)

    /// Decides for one node.
    ///
    /// - Parameters:
    ///   - identity: what the node says it is.
    ///   - node: its file name, such as `event7`.
    public init(of identity: DeviceIdentity, node: String) {
        let bus = Bus(rawValue: identity.bus)
        if bus?.isBuiltIn == true {
            self = .machine
        } else if bus == .bluetooth {
            self = identity.uniq.isEmpty ? .node(node) : .address(identity.uniq)
        } else if let port = Self.port(in: identity.phys) {
            self = .port(port)
        } else {
            self = .node(node)
        }
    }

    /// What stands before `/inputN`; with `/inputN:M` too, for receivers number the devices behind them so.
    private static func port(in phys: String) -> String? {
        guard let slash = phys.lastIndex(of: "/"), slash != phys.startIndex else { return nil }
        let tail = phys[phys.index(after: slash)...]
        guard tail.hasPrefix("input") else { return nil }
        let numbers = tail.dropFirst(5).split(separator: ":", omittingEmptySubsequences: false)
        guard (1...2).contains(numbers.count), numbers.allSatisfy(isNumber) else { return nil }
        return numbers.count == 1 ? String(phys[..<slash]) : String(phys)
    }

    private static func isNumber(_ text: Substring) -> Bool {
        !text.isEmpty && text.allSatisfy { $0.isASCII && $0.isNumber }
    }
}

extension DeviceIdentity {
    /// The source's name for ever, an entry's deviceId; it outlives replugging and never speaks of `eventN`.
    ///
    /// Bus, vendor, product, then `uniq`; without one, where it is attached, and for a node alone its name too.
    /// The machine's own keys are `machine`, whichever of their nodes was seen first.
    public func stableID(of key: SourceKey) -> String {
        let model = [busName, Self.hex(vendor), Self.hex(product)]
        switch key {
        case .machine: return "machine"
        case .address(let address): return Self.join(model + [address])
        case .port(let port): return Self.join(model + [uniq.isEmpty ? port : uniq])
        case .node: return Self.join(model + (uniq.isEmpty ? [name, phys] : [uniq]))
        }
    }

    /// Joins with colons; what a shell or a table would stumble over becomes an underscore.
    private static func join(_ parts: [String]) -> String {
        parts.filter { !$0.isEmpty }.map { part in
            String(part.map { $0.isASCII && ($0.isLetter || $0.isNumber || "._-:/".contains($0)) ? $0 : "_" })
        }.joined(separator: ":")
    }
}
