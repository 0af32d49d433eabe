package import Linux

/// The input device that a node belongs to: nodes with an equal key are one device.
package enum DeviceKey: Hashable, Sendable {
    /// The machine's own keys, on any number of nodes.
    case machine
    /// A Bluetooth device by its address.
    case address(String)
    /// A device by the port that it is attached to.
    case port(String)
    /// A node by its file name, if nothing shows which nodes belong together.
    case node(String)

    /// Decides for one node.
    ///
    /// - Parameters:
    ///   - identity: the node's identity.
    ///   - node: its file name, such as `event7`.
    package init(of identity: DeviceIdentity, node: String) {
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

    /// The part before `/inputN`, or all of a text that ends in `/inputN:M`: receivers number the devices behind them
    /// so.
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
    /// The lasting name of an input device, the deviceId of entries. It survives replugging and never contains
    /// `eventN`.
    ///
    /// It is made of bus, vendor and product, then of `uniq`; without `uniq`, of where the device is attached, and
    /// for a single node of its name too. The machine's own keys are `machine`, whichever of their nodes was seen
    /// first.
    package func stableID(of key: DeviceKey) -> Identifier {
        let model = [busName, Self.hex(vendor), Self.hex(product)]
        switch key {
        case .machine: return "machine"
        case .address(let address): return Self.join(model + [address])
        case .port(let port): return Self.join(model + [uniq.isEmpty ? port : uniq])
        case .node: return Self.join(model + (uniq.isEmpty ? [name, phys] : [uniq]))
        }
    }

    /// Joins the parts with colons; characters that shells and tables treat specially become underscores.
    private static func join(_ parts: [String]) -> Identifier {
        Identifier(
            parts.filter { !$0.isEmpty }.map { part in
                String(
                    part.map { $0.isASCII && ($0.isLetter || $0.isNumber || "._-:/".contains($0)) ? $0 : "_" }
                )
            }.joined(separator: ":"))
    }
}
