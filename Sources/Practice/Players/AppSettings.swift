package import CounterModel

/// The settings of the program, one file for all players.
package struct AppSettings: Hashable, Sendable {
    /// Who is chosen at the next start.
    package var lastActivePlayerId: String?
    /// Set while a session runs; one that is still set at the start was not ended.
    package var currentSessionStartTime: Timestamp?
    /// Whether every text is spoken.
    package var audioEnabled = true
    /// 0.0...1.0.
    package var voiceVolume: Float = 1.0
    /// 0.0...1.0.
    package var effectsVolume: Float = 0.7
    /// The grown-up's settings.
    package var parentSettings = ParentSettings()
    /// The version that wrote the file.
    package var appVersion: String
    /// The last start.
    package var lastLaunchDate: Timestamp?
    /// How often the program was started.
    package var totalLaunches = 0

    /// The settings before the first start.
    package init(appVersion: String) { self.appVersion = appVersion }
}
