public import CounterModel

/// The settings of the program, one file for all players.
public struct AppSettings: Hashable, Sendable {
    /// Who is chosen at the next start.
    public var lastActivePlayerId: String?
    /// Set while a session runs; one that is still set at the start was not ended.
    public var currentSessionStartTime: Timestamp?
    /// Whether every text is spoken.
    public var audioEnabled = true
    /// 0.0...1.0.
    public var voiceVolume: Float = 1.0
    /// 0.0...1.0.
    public var effectsVolume: Float = 0.7
    /// The grown-up's settings.
    public var parentSettings = ParentSettings()
    /// The version that wrote the file.
    public var appVersion: String
    /// The last start.
    public var lastLaunchDate: Timestamp?
    /// How often the program was started.
    public var totalLaunches = 0

    /// The settings before the first start.
    public init(appVersion: String) { self.appVersion = appVersion }
}
