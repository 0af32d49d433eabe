package import Linux

/// A connection to a sound server.
package protocol SoundServer: AnyObject {
    /// Plays a tone as soon as the connection allows. Never waits.
    ///
    /// - Parameters:
    ///   - tone: the tone.
    ///   - volume: in percent, 0...100.
    func play(_ tone: Tone, volume: Int)
    /// Stops a tone that plays, and drops what was not played of it yet. Never waits.
    func stop(_ tone: Tone)
    /// Waits for the descriptors and for the server's own, and handles what the server has sent.
    func wait(for polled: inout PollSet, until deadline: MonotonicTime?) throws(SystemCallError)
    /// When the server should have answered; `nil` where nothing is awaited.
    var deadline: MonotonicTime? { get }
    /// What was asked for and the server has not confirmed.
    var unplayed: [(tone: Tone, volume: Int)] { get }
    /// Why the connection cannot be used any more; `nil` where it can.
    var failure: String? { get }
    /// The server is there, and does not do what it is asked for. Another connection would only delay the next sound.
    var isBroken: Bool { get }
    /// Removes what it has stored in the server.
    func close()
}
