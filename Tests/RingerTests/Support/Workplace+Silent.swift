import TestSupport

extension Workplace {
    /// A workplace whose programs listen to no device, and reach no sound or speech server of the machine.
    static func silent(_ environment: [String: String?] = [:]) throws -> Workplace {
        try Workplace(
            environment: [
                "COUNTER_DEVICE": "/dev/input/none", "COUNTER_KEYS_SOCKET": "", "SPEECHD_ADDRESS": nil,
                "PULSE_SERVER": nil, "DBUS_SESSION_BUS_ADDRESS": "unix:path=/nonexistent",
            ].merging(environment) { $1 })
    }
}
