import CPulse
import Glibc
import Linux
import Sound

/// Tones through PulseAudio, or through PipeWire, which speaks its protocol. A tone is uploaded to the server once and then
/// played by its name, so that it starts within milliseconds.
///
/// libpulse's main loop waits by `waitForBoth`, so that the ringer stays one thread around one poll(2).
final class PulseSound {
    private enum Upload {
        case running(OpaquePointer)
        case done
    }

    /// How long the server may take from the first step to a tone until it says that it plays it.
    private static let timeout = Duration.milliseconds(1500)

    private struct Order {
        let tone: Tone
        let volume: Int
        /// The call that has the server play it; `nil` while the tone is not uploaded.
        var call: OpaquePointer?
    }

    /// Why the connection cannot be used any more; `nil` where it can.
    private(set) var failure: String?
    /// The server is there, and does not do what it is asked for. Another connection would only delay the next sound.
    private(set) var isBroken = false
    /// When the server should have answered; `nil` where nothing is awaited.
    private(set) var deadline: MonotonicTime?
    private var orders: [Order] = []
    /// Limits how often the server may wake this process.
    private var flood = FloodLimit(burst: 1000, pause: .milliseconds(2))
    private let loop: OpaquePointer
    private var context: OpaquePointer?
    private var uploads: [Tone: Upload] = [:]
    private let waiter = Waiter()
    /// What `stopAlarm` needs of the last alarm that was played.
    private var playing: Playing?

    private struct Playing {
        let end: MonotonicTime
        /// The number of its stream in the server; `nil` until the server has told.
        var stream: UInt32?
        var isStopped = false
    }

    /// Begins to connect; starts no server. nil where no descriptor is left for it.
    init?() {
        guard let loop = pa_mainloop_new() else { return nil }
        self.loop = loop
        pa_mainloop_set_poll_func(loop, waitForBoth, Unmanaged.passUnretained(waiter).toOpaque())
        context = pa_context_new(pa_mainloop_get_api(loop), "counter")
        // These variables are another user's after su(1) and with `sudo -E`: that user would hear what is counted.
        if Self.sockets.contains(where: StreamListener.isOfOther) {
            giveUp("the sound server is another user's")
            return
        }
        if pa_context_connect(context, nil, PA_CONTEXT_NOAUTOSPAWN, nil) < 0 { noteFailure() }
    }

    /// The sockets that libpulse connects to: those of `PULSE_SERVER`, else the one in the runtime directory.
    private static var sockets: [String] {
        if let servers = environmentVariable("PULSE_SERVER"), !servers.isEmpty {
            // A server may be limited to a machine: `{id}unix:/path`.
            return servers.split(whereSeparator: \.isWhitespace).compactMap { server in
                server.firstIndex(of: "/").map { String(server[$0...]) }
            }
        }
        let runtime = environmentVariable("XDG_RUNTIME_DIR").map { $0 + "/pulse" }
        return (environmentVariable("PULSE_RUNTIME_PATH") ?? runtime).map { ["\($0)/native"] } ?? []
    }

    deinit {
        for call in orders.compactMap(\.call) { pa_operation_unref(call) }
        for case .running(let stream) in uploads.values { pa_stream_unref(stream) }
        if let context {
            pa_context_disconnect(context)
            pa_context_unref(context)
        }
        pa_mainloop_free(loop)
    }

    var isReady: Bool { failure == nil && context.map(pa_context_get_state) == PA_CONTEXT_READY }

    /// What was asked for and the server has not confirmed.
    var unplayed: [(tone: Tone, volume: Int)] { orders.map { ($0.tone, $0.volume) } }

    /// Plays a tone as soon as the connection allows, at a volume in percent, 0...100. Never waits.
    func play(_ tone: Tone, volume: Int) {
        orders.append(Order(tone: tone, volume: volume))
        if deadline == nil { deadline = .now + Self.timeout }
        proceed()
    }

    /// Stops an alarm that plays, and drops those that were not played yet. Never waits.
    func stopAlarm() {
        removeOrders { $0.tone == .alarm }
        // The server may give the number of a stream that has ended to another one.
        guard let playing, MonotonicTime.now < playing.end else { return }
        self.playing?.isStopped = true
        if let stream = playing.stream { stop(stream) }
    }

    private func stop(_ stream: UInt32) {
        guard let context else { return }
        pa_context_kill_sink_input(context, stream, nil, nil).map { pa_operation_unref($0) }
    }

    fileprivate func notePlaying(_ stream: UInt32) {
        if playing?.isStopped == true { stop(stream) } else { playing?.stream = stream }
    }

    /// Waits for the descriptors and for the server's own, and handles what the server has sent.
    func wait(for polled: inout PollSet, until deadline: MonotonicTime?) throws(SystemCallError) {
        swap(&waiter.polled, &polled)
        (waiter.deadline, waiter.error, waiter.hasNews) = (deadline, nil, false)
        if pa_mainloop_prepare(loop, -1) >= 0, pa_mainloop_poll(loop) >= 0 { pa_mainloop_dispatch(loop) }
        swap(&waiter.polled, &polled)
        if let error = waiter.error { throw error }
        if waiter.hasNews, !flood.admits(1, at: .now) { giveUp("the sound server sends too much") }
        proceed()
        if failure == nil, let end = self.deadline, .now >= end { giveUp("the sound server does not answer") }
    }

    /// Takes the next steps: uploads what is to be played, plays what is uploaded.
    private func proceed() {
        guard failure == nil, let context else { return }
        switch pa_context_get_state(context) {
        case PA_CONTEXT_READY: break
        case PA_CONTEXT_FAILED, PA_CONTEXT_TERMINATED: return noteFailure()
        default: return
        }
        for order in orders where uploads[order.tone] == nil { upload(order.tone, to: context) }
        for case (let tone, .running(let stream)) in uploads { proceed(tone, stream) }
        play(on: context)
        removeOrders { $0.call.map(pa_operation_get_state).map { $0 != PA_OPERATION_RUNNING } ?? false }
    }

    private func removeOrders(_ isDone: (Order) -> Bool) {
        let done = orders.filter(isDone)
        if done.isEmpty { return }
        orders.removeAll(where: isDone)
        for call in done.compactMap(\.call) { pa_operation_unref(call) }
        deadline = orders.isEmpty ? nil : .now + Self.timeout
    }

    private func upload(_ tone: Tone, to context: OpaquePointer) {
        var format = pa_sample_spec(format: PA_SAMPLE_S16LE, rate: UInt32(Tone.rate), channels: 1)
        guard let stream = pa_stream_new(context, sampleName(tone), &format, nil) else {
            return noteFailure()
        }
        uploads[tone] = .running(stream)
        let size = tone.samples().count * MemoryLayout<Int16>.size
        if pa_stream_connect_upload(stream, size) < 0 { noteFailure() }
    }

    private func proceed(_ tone: Tone, _ stream: OpaquePointer) {
        switch pa_stream_get_state(stream) {
        case PA_STREAM_READY:
            let result = tone.samples().withUnsafeBytes {
                pa_stream_write(stream, $0.baseAddress, $0.count, nil, 0, PA_SEEK_RELATIVE)
            }
            if result < 0 || pa_stream_finish_upload(stream) < 0 { noteFailure() }
        case PA_STREAM_TERMINATED:
            pa_stream_unref(stream)
            uploads[tone] = .done
        case PA_STREAM_FAILED: noteFailure()
        default: break
        }
    }

    private func play(on context: OpaquePointer) {
        for index in orders.indices where orders[index].call == nil {
            let (tone, volume) = (orders[index].tone, orders[index].volume)
            guard case .done? = uploads[tone] else { return }
            let properties = pa_proplist_new()
            defer { pa_proplist_free(properties) }
            let isAlarm = tone == .alarm
            // The volume of event sounds may be 0, and an alarm has to be heard.
            if !isAlarm { pa_proplist_sets(properties, PA_PROP_MEDIA_ROLE, "event") }
            let level = pa_volume_t(PA_VOLUME_NORM) * pa_volume_t(volume) / 100
            if isAlarm { playing = Playing(end: .now + tone.length) }
            orders[index].call = pa_context_play_sample_with_proplist(
                context, sampleName(tone), nil, level, properties, isAlarm ? noteStream : nil,
                Unmanaged.passUnretained(self).toOpaque())
            if orders[index].call == nil { return noteFailure() }
        }
    }

    /// Another ringer may serve another journal at the same time.
    private func sampleName(_ tone: Tone) -> String { "counter-\(getpid())-\(tone.name)" }

    private func giveUp(_ reason: String) {
        (failure, isBroken) = (reason, true)
    }

    private func noteFailure() {
        failure = context.map { String(cString: pa_strerror(pa_context_errno($0))) } ?? "no connection"
    }

    /// Removes what it has stored in the server. The server answers in order, so what was stopped before is stopped then.
    func close() {
        guard failure == nil, let context else { return }
        let removals = uploads.compactMap { tone, upload in
            if case .done = upload {
                pa_context_remove_sample(context, sampleName(tone), nil, nil)
            } else {
                nil
            }
        }
        defer { for removal in removals { pa_operation_unref(removal) } }
        let end = MonotonicTime.now + .milliseconds(500)
        var nothing = PollSet()
        while failure == nil, .now < end,
            removals.contains(where: { pa_operation_get_state($0) == PA_OPERATION_RUNNING })
        {
            do throws(SystemCallError) { try wait(for: &nothing, until: end) } catch { return }
        }
    }
}

/// The ringer's descriptors and deadline, for the wait inside libpulse's loop.
private final class Waiter {
    var polled = PollSet()
    var deadline: MonotonicTime?
    var error: SystemCallError?
    var hasNews = false
}

/// A `pa_context_play_sample_cb_t`: the server plays an alarm in this stream, or has no number for it.
private func noteStream(_ context: OpaquePointer?, _ stream: UInt32, _ sound: UnsafeMutableRawPointer?) {
    guard let sound, stream != UInt32.max else { return }
    Unmanaged<PulseSound>.fromOpaque(sound).takeUnretainedValue().notePlaying(stream)
}

/// A `pa_poll_func`: waits for libpulse's descriptors and for those of the ringer.
private func waitForBoth(
    _ descriptors: UnsafeMutablePointer<pollfd>?, _ count: UInt, _ timeout: CInt,
    _ waiter: UnsafeMutableRawPointer?
) -> CInt {
    guard let waiter else { return -1 }
    let waiting = Unmanaged<Waiter>.fromOpaque(waiter).takeUnretainedValue()
    let places = (0..<Int(count)).map { index in
        waiting.polled.add(descriptors?[index].fd ?? -1, CInt(descriptors?[index].events ?? 0))
    }
    let ends = [waiting.deadline, timeout < 0 ? nil : MonotonicTime.now + .milliseconds(timeout)].compactMap(
        \.self)
    do throws(SystemCallError) { try waiting.polled.wait(until: ends.min()) } catch {
        waiting.error = error
        return -1
    }
    var ready: CInt = 0
    for (index, place) in places.enumerated() {
        descriptors?[index].revents = waiting.polled.result(at: place).bits
        if !waiting.polled.result(at: place).isEmpty { ready += 1 }
    }
    waiting.hasNews = ready > 0
    return ready
}
