import CEvdev
import TestSupport

/// Devices of all kinds that send random frames; now and then one is replaced by another.
///
/// They have no keys that would do harm on a machine in use.
struct Noise {
    private enum Device {
        case remote(VirtualRemote)
        case hid(HIDRemote, HIDLayout)

        func destroy() {
            switch self {
            case .remote(let remote): remote.destroy()
            case .hid(let remote, _): remote.destroy()
            }
        }
    }

    /// How long a device stays, in frames of all of them.
    private static let stay = 2500

    private(set) var frames = 0
    private var random: SplitMix64
    private var devices: [Device] = []
    private var made = 0

    init(seed: UInt64) throws {
        random = SplitMix64(seed: seed)
        for _ in 0..<6 { devices.append(try makeDevice()) }
    }

    /// Unplugs all of them.
    mutating func end() {
        devices.forEach { $0.destroy() }
        devices = []
    }

    /// Sends a random frame from one of the devices.
    mutating func sendFrame() throws {
        frames += 1
        if frames % Self.stay == 0 { try replaceOne() }
        switch random.element(of: devices) {
        case .remote(let remote):
            try remote.emit(frame: (0...random.below(6)).map { _ in event() })
        case .hid(let remote, .consumerControl):
            try remote.report((0...random.below(4)).map { _ in UInt8(truncatingIfNeeded: random.next()) })
        case .hid(let remote, _):
            try remote.report(
                down: Self.hidKeys.filter { _ in random.below(2) == 0 }.shuffled(using: &random))
        }
    }

    private mutating func replaceOne() throws {
        let place = random.below(devices.count)
        devices[place].destroy()
        devices[place] = try makeDevice()
    }

    // MARK: - What they are

    private static let hidKeys: [Key] = [.volumeUp, .volumeDown, .mute, .playPause]

    private mutating func makeDevice() throws -> Device {
        made += 1
        let name = "Noise \(made)"
        if random.below(3) == 0 {
            let layout = random.element(of: HIDLayout.allCases)
            return .hid(try HIDRemote(.init(name: name, layout: layout)), layout)
        }
        var description = VirtualRemote.Description(name: name, keys: [.volumeUp, .volumeDown, .marker])
        // Devices that cannot be intercepted, that are grabbed whole, and whose keys the kernel repeats.
        if random.below(2) == 0 { description.keys.append(.a) }
        if random.below(2) == 0 { description.absoluteAxes = [.init(code: UInt16(ABS_MISC), range: -5...5)] }
        description.repeats = random.below(2) == 0
        description.sendsScanCodes = random.below(2) == 0
        return .remote(try VirtualRemote(description))
    }

    // MARK: - What they send

    private static let types = [
        EV_SYN, EV_KEY, EV_KEY, EV_KEY, EV_KEY, EV_REL, EV_ABS, EV_MSC, EV_SW, EV_LED, EV_SND, EV_FF,
    ].map { UInt16($0) }
    private static let codes = [KEY_VOLUMEUP, KEY_VOLUMEDOWN, KEY_VOLUMEUP, KEY_VOLUMEDOWN, KEY_MACRO30].map {
        UInt16($0)
    }

    /// Any type, code and value; mostly ones that the kernel passes on.
    private mutating func event() -> VirtualRemote.Event {
        let bits = random.next()
        let type = bits & 15 == 0 ? UInt16(truncatingIfNeeded: bits >> 16) : random.element(of: Self.types)
        let code = bits & 0xF0 == 0 ? UInt16(truncatingIfNeeded: bits >> 32) : random.element(of: Self.codes)
        let value = bits & 0xF00 == 0 ? Int32(truncatingIfNeeded: bits >> 32) : Int32(random.below(4)) - 1
        return (type, type == EV_SYN ? code % 4 : code, value)
    }
}
