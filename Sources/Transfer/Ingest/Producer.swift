import Glibc
import System

/// Somebody who sends lines and is answered: standard input with standard output, or a connection to the socket.
///
/// What it may make this program keep is limited: one piece of what it sends, and as many answers as it leaves unread. It
/// is not read from while it does not read.
final class Producer {
    /// How much is read at once.
    private static let piece = 65_536
    /// How many lines go into one transaction, so that the others get their turn.
    private static let mostLines = 2_000
    /// How many bytes of answers may wait before no more lines are read.
    private static let mostAnswers = 65_536
    /// What POSIX promises a pipe to take without waiting once it is writable (PIPE_BUF).
    private static let atomicPiece = 4_096

    let input: CInt
    let output: CInt
    /// Closed with the connection; `nil` for standard input.
    private let connection: Connection?
    private var lines = LineSplitter()
    private var answers: ArraySlice<UInt8> = []
    private var lineNumber = 0
    private var hasEnded = false
    private var place: (input: Int?, output: Int?)
    /// The devices that it has spoken for.
    private(set) var devices: Set<String> = []
    /// How many of its lines are queued and not answered yet.
    var queued = 0

    /// Owns a connection's descriptor, which cannot be copied.
    private final class Connection {
        let descriptor: Descriptor
        init(_ descriptor: consuming Descriptor) { self.descriptor = descriptor }
    }

    /// Standard input, answered on standard output.
    init() {
        input = STDIN_FILENO
        output = STDOUT_FILENO
        connection = nil
    }

    /// A connection, answered on itself.
    init(_ descriptor: consuming Descriptor) {
        input = descriptor.number
        output = descriptor.number
        connection = Connection(descriptor)
    }

    /// Whether whole lines wait that may be taken now.
    var isReady: Bool { !isStalled && lines.hasLine }
    /// Whether it has said all that it will, and was answered.
    var isDone: Bool { hasEnded && lines.count == 0 && queued == 0 && answers.isEmpty }
    /// Whether answers wait.
    var hasAnswers: Bool { !answers.isEmpty }
    private var isStalled: Bool { answers.count > Self.mostAnswers }

    /// Adds what is waited for: a piece to read where there is room for it, and room for answers.
    func watch(_ polled: inout PollSet, isReading: Bool) {
        let reads = isReading && !isStalled && !hasEnded && !lines.hasLine
        let events = CInt(reads ? POLLIN : 0) | CInt(answers.isEmpty ? 0 : POLLOUT)
        if connection != nil {
            // poll(2) tells of a hang-up whatever is asked: one that nothing is wanted of would keep it awake.
            let place = events == 0 ? nil : polled.add(input, events)
            self.place = (place, place)
        } else {
            place.input = reads ? polled.add(input) : nil
            place.output = polled.add(output, events & CInt(POLLOUT))
        }
    }

    /// Writes answers and reads a piece, as far as both go without waiting.
    ///
    /// - Throws: `Failure` (74) where nobody reads standard output any more.
    func handle(_ polled: PollSet) throws(Failure) {
        let output = place.output.map(polled.result)
        if let output, output.isGone { try loseReader() }
        if let output, !output.isEmpty { try write() }
        if let input = place.input.map(polled.result), input.isReadable || input.isGone, !isStalled,
            !lines.hasLine
        {
            read()
        }
    }

    /// The lines that may be taken now, each with its number. Blank ones are counted and left out.
    func take(_ body: (Int, LineSplitter.Line) -> Void) {
        var left = Self.mostLines
        while left > 0, !isStalled, let line = lines.next() {
            lineNumber += 1
            left -= 1
            if !line.isBlank { body(lineNumber, line) }
        }
    }

    /// Notes that it has spoken for a device.
    ///
    /// - Returns: whether that is news.
    func speaks(for device: String) -> Bool {
        devices.insert(device).inserted
    }

    /// Adds an answer to those that wait.
    func add(_ answer: IngestAnswer) { answers += answer.text.utf8 }

    /// Writes what waits, as far as it is taken.
    ///
    /// - Throws: `Failure` (74) where nobody reads standard output any more.
    func write() throws(Failure) {
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

extension Producer {
    private func read() {
        withUnsafeTemporaryAllocation(byteCount: Self.piece, alignment: 8) { buffer in
            let count = Glibc.read(input, buffer.baseAddress, buffer.count)
            if count > 0 {
                lines.append(UnsafeRawBufferPointer(rebasing: buffer[..<count]))
            } else if count == 0 || errno != EAGAIN && errno != EINTR {
                hasEnded = true
                lines.end()
            }
        }
    }

    /// A descriptor that may wait is written to only where it says that it does not.
    private var isWritable: Bool {
        var polled = PollSet()
        polled.add(output, CInt(POLLOUT))
        return (try? polled.wait(until: .now)) != nil && !polled.result(at: 0).isEmpty
    }

    /// Nobody reads the answers. What a connection has sent before counts nonetheless.
    private func loseReader() throws(Failure) {
        answers = []
        if connection == nil { throw Failure("standard output: its reader is gone", status: EX_IOERR) }
    }
}

extension LineSplitter.Line {
    fileprivate var isBlank: Bool {
        switch self {
        case .bytes(let bytes): bytes.allSatisfy { $0 == 0x20 || $0 == 0x9 || $0 == 0xD }
        case .tooLong: false
        }
    }
}
