/// Splits a producer's bytes into lines, with limited memory.
struct LineSplitter {
    /// The maximum length of a line in bytes, without its line end.
    static let longest = 16_384

    /// A line without its line end.
    enum Line: Equatable {
        case bytes(ArraySlice<UInt8>)
        /// The line exceeded the limit; its bytes were dropped.
        case tooLong
    }

    private var bytes: ArraySlice<UInt8> = []
    /// The bytes before this index contain no line end.
    private var searched = 0
    private var isSkipping = false
    private var hasEnded = false

    /// The number of buffered bytes.
    var count: Int { bytes.count }

    /// Whether `next` has a line.
    var hasLine: Bool {
        hasEnded ? !bytes.isEmpty : bytes[max(searched, bytes.startIndex)...].contains(UInt8(ascii: "\n"))
    }

    /// Appends bytes that were read.
    mutating func append(_ more: UnsafeRawBufferPointer) {
        // The slice keeps the memory of earlier lines. Copying the rest to a new array frees it.
        var joined = Array(bytes)
        joined.append(contentsOf: more)
        searched -= bytes.startIndex
        bytes = joined[...]
    }

    /// Marks the end of the input: the remaining bytes are a line too.
    mutating func end() { hasEnded = true }

    /// The next complete line; `nil` where there is none.
    mutating func next() -> Line? {
        while true {
            guard let end = endOfLine() else { return rest() }
            let line = bytes[..<end]
            bytes = bytes[min(end + 1, bytes.endIndex)...]
            searched = bytes.startIndex
            let wasSkipping = isSkipping
            isSkipping = false
            // `rest` has already returned this line as too long.
            if wasSkipping { continue }
            return line.count > Self.longest ? .tooLong : .bytes(line)
        }
    }

    private mutating func endOfLine() -> Int? {
        let end = bytes[max(searched, bytes.startIndex)...].firstIndex(of: UInt8(ascii: "\n"))
        searched = bytes.endIndex
        return end ?? (hasEnded && !bytes.isEmpty ? bytes.endIndex : nil)
    }

    /// An incomplete line; returned as `tooLong`, once, and dropped where it exceeds the limit.
    private mutating func rest() -> Line? {
        guard isSkipping || bytes.count > Self.longest else { return nil }
        defer { isSkipping = true }
        bytes = []
        searched = 0
        return isSkipping ? nil : .tooLong
    }
}
