import CounterModel
import Glibc
package import Linux

/// What one sender of lines has sent, and the answers to it, whatever carries them.
///
/// Its memory is limited if nothing is appended while it `isReady` or `isStalled`: one piece of input, and a number of unread
/// answers.
package class Producer {
    /// The maximum number of bytes in a line.
    package static let maxLine = 16_384
    /// The number of bytes of unread answers above which no more lines are taken.
    private static let maxAnswers = 65_536

    let terms: SenderTerms
    /// When it last sent a complete line, or was made.
    private(set) var lastLine = MonotonicTime.now
    fileprivate var lines = LineSplitter(longest: Producer.maxLine)
    /// What it has not been sent yet.
    fileprivate var answers: ArraySlice<UInt8> = []
    /// The bytes of all answers that were taken to be sent.
    private var sent = 0
    /// The bytes of all answers that may be sent: those of lines that are where they have to be.
    package var confirmed = Int.max
    private var lineNumber = 0
    /// The number of its last line that has an answer; 0 where none has.
    package private(set) var answeredLine = 0
    fileprivate var hasEnded = false
    /// The devices whose events it has sent, in the order in which they came: so the journal has them on neighbouring pages.
    private(set) var devices: [Identifier] = []
    private var isDevice: Set<Identifier> = []
    /// The number of its lines that are queued and not answered yet.
    package internal(set) var queued = 0
    /// Whether lines of it were given up, which are not stored and get no answer.
    package internal(set) var isAbandoned = false

    package init(_ terms: SenderTerms) { self.terms = terms }

    /// Whether it has complete lines that can be taken now, or the beginning of one that is too long.
    package var isReady: Bool { !isStalled && (lines.hasLine || lines.count > Self.maxLine) }
    /// Whether its input has ended and all lines have their answers.
    package var isAnswered: Bool { hasEnded && lines.count == 0 && queued == 0 }
    package var isDone: Bool { isAnswered && answers.isEmpty }
    package var hasAnswers: Bool { !answers.isEmpty }
    package var isStalled: Bool { answers.count > Self.maxAnswers }

    package func append(_ bytes: UnsafeRawBufferPointer) { lines.append(bytes) }

    /// Marks the end of the input: what is left is a line too.
    package func end() {
        hasEnded = true
        lines.end()
    }

    /// Calls `body` with each line that can be taken now and its number, `most` of them at most. Blank lines are counted and left
    /// out.
    func take(_ most: Int, _ body: (Int, LineSplitter.Line) -> Void) {
        var left = most
        while left > 0, !isStalled, let line = lines.next() {
            lineNumber += 1
            left -= 1
            if case .bytes(let bytes) = line, bytes.allSatisfy({ $0.isBlank || $0 == 0xD }) { continue }
            body(lineNumber, line)
        }
        if left < most { lastLine = .now }
    }

    /// Records a device whose events it sends. Returns whether the device is new on this producer.
    func addDevice(_ device: Identifier) -> Bool {
        guard isDevice.insert(device).inserted else { return false }
        devices.append(device)
        return true
    }

    func add(_ answer: String, ofLine number: Int) {
        answers += answer.utf8
        answeredLine = number
    }

    /// The bytes of all answers that it ever had.
    package var answered: Int { sent + answers.count }

    /// Takes the answers that wait to be sent, and may be.
    package func takeAnswers() -> ArraySlice<UInt8> {
        let taken = answers.prefix(confirmed - sent)
        sent += taken.count
        answers = answers.dropFirst(taken.count)
        return taken
    }
}

/// What a sender may send, and what fills in what its lines leave out.
package struct SenderTerms {
    /// The device that all its events are of; nil where each line names its own.
    package var device: Identifier?
    /// The location of events that name none; nil for that of their device.
    package var location: Identifier?
    /// The locations that it may count into; nil for all.
    package var locations: [Identifier]?
    /// Whether an event without a time counts at its receipt.
    package var mayOmitTime = false
    /// Whether it may send rows of another journal.
    package var sendsRows = true
    /// Whether its devices are live as long as it sends.
    package var isConnection = true

    /// What a program of this user may send.
    package init() {}

    /// Fills in a line.
    func complete(_ fields: inout LineFields) {
        fields[.deviceId] = fields[.deviceId] ?? device?.text
        fields[.locationId] = fields[.locationId] ?? location?.text
    }

    /// Refuses what this sender may not send.
    func check(device other: Identifier?, location: Identifier?) throws(LineError) {
        if let device, let other, device != other {
            throw LineError(why: "the sender is the device '\(device)', and no other")
        }
        if let locations, !locations.contains(where: { $0 == location }) {
            throw LineError(why: "the sender may not count into the location '\(location?.text ?? "")'")
        }
    }
}

/// A program that sends lines and reads answers: standard input with standard output, or a connection to the socket. While it does
/// not read its answers, its lines are not read.
final class DescriptorProducer: Producer {
    private static let piece = 65_536
    /// The number of bytes that a writable pipe accepts without blocking by POSIX (PIPE_BUF).
    private static let atomicPiece = 4_096

    let input: CInt
    let output: CInt
    /// The connection, which is closed with this object; `nil` for standard input.
    private let connection: Descriptor?
    /// Who has made the connection; `nil` for standard input, and where the kernel does not tell.
    private let peer: SocketPeer?
    private var pollIndex: (input: Int?, output: Int?)

    override init(_ terms: SenderTerms) {
        (input, output) = (STDIN_FILENO, STDOUT_FILENO)
        connection = nil
        peer = nil
        super.init(terms)
    }

    init(_ descriptor: consuming Descriptor) {
        input = descriptor.number
        output = descriptor.number
        peer = SocketPeer(descriptor.number)
        connection = consume descriptor
        super.init(SenderTerms())
    }

    /// What decides whether it is closed to make room for another one.
    var standing: ConnectionStanding {
        ConnectionStanding(user: peer?.user, process: peer?.process, hasLines: isReady, lastLine: lastLine)
    }

    /// Adds its descriptors: for input where there is room for a piece, for output where there are answers.
    func watch(_ polled: inout PollSet, isReading: Bool) {
        let reads = isReading && !isStalled && !hasEnded && !lines.hasLine
        pollIndex.input = reads ? polled.add(input) : nil
        // `poll(2)` always reports hang-ups. That of standard output ends the program; that of a connection would wake the loop again
        // and again.
        let isWatched = connection == nil || hasAnswers
        pollIndex.output = isWatched ? polled.add(output, CInt(hasAnswers ? POLLOUT : 0)) : nil
    }

    /// Writes answers and reads a piece, as far as both are possible without blocking.
    /// Throws `ProgramError` (74) where the reader of standard output has ended, or standard input cannot be read.
    func handle(_ polled: PollSet) throws(ProgramError) {
        let output = pollIndex.output.map(polled.result)
        if let output, output.isGone { try loseReader() }
        if let output, !output.isEmpty { try write() }
        if let input = pollIndex.input.map(polled.result), input.isReadable || input.isGone, !isStalled,
            !lines.hasLine
        {
            try read()
        }
    }

    /// Writes queued answers, as far as the descriptor accepts them.
    /// Throws `ProgramError` (74) where the reader of standard output has ended.
    func write() throws(ProgramError) {
        while !answers.isEmpty, isWritable {
            let count = answers.prefix(Self.atomicPiece).withUnsafeBytes {
                Glibc.write(output, $0.baseAddress, $0.count)
            }
            if count < 0 {
                if errno == EAGAIN || errno == EINTR { return }
                return try loseReader()
            }
            answers.removeFirst(count)
        }
        if answers.isEmpty { answers = [] }
    }
}

extension DescriptorProducer {
    private func read() throws(ProgramError) {
        let reason = withUnsafeTemporaryAllocation(byteCount: Self.piece, alignment: 8) { buffer -> CInt in
            let count = Glibc.read(input, buffer.baseAddress, buffer.count)
            if count < 0 { return errno }
            append(UnsafeRawBufferPointer(rebasing: buffer[..<count]))
            hasEnded = count == 0
            return 0
        }
        switch reason {
        case 0, EAGAIN, EINTR: break
        // A connection that is reset has ended. What it sent before counts.
        case _ where connection != nil: hasEnded = true
        default:
            let error = SystemCallError(call: "read", errno: reason)
            throw ProgramError("standard input: cannot be read: \(error.reason)", status: EX_IOERR)
        }
        if hasEnded { end() }
    }

    /// Whether `poll(2)` reports the output writable; a blocking descriptor is written to only then. Where it fails, the next
    /// turn's does too, and ends the program.
    private var isWritable: Bool {
        (try? PollSet.result(of: output, CInt(POLLOUT), until: .now).isEmpty) == false
    }

    /// Handles the end of the answers' reader. Lines that a connection has sent before still count.
    private func loseReader() throws(ProgramError) {
        answers = []
        if connection == nil { throw ProgramError("standard output: its reader is gone", status: EX_IOERR) }
    }
}

/// What decides which of many connections is closed to make room for another one.
struct ConnectionStanding {
    let user: UInt32?
    let process: Int32?
    /// Whether complete lines of it wait to be taken.
    let hasLines: Bool
    /// When it last sent a complete line, or was made.
    let lastLine: MonotonicTime

    /// The index of the one to close: of the user with the most connections, of that user's process with the most, one without
    /// lines that wait, and of these the one that was silent for longest. So no user and no process keeps another out.
    static func indexToClose(_ all: [ConnectionStanding]) -> Int? {
        var ofUser: [UInt32?: Int] = [:]
        var ofProcess: [Int32?: Int] = [:]
        for connection in all {
            ofUser[connection.user, default: 0] += 1
            ofProcess[connection.process, default: 0] += 1
        }
        func weight(_ connection: ConnectionStanding) -> (Int, Int, Int) {
            (ofUser[connection.user] ?? 0, ofProcess[connection.process] ?? 0, connection.hasLines ? 0 : 1)
        }
        return all.indices.max { one, other in
            let (left, right) = (weight(all[one]), weight(all[other]))
            return left == right ? all[one].lastLine > all[other].lastLine : left < right
        }
    }
}
