/// Cuts what a producer sends into lines, with a limit to what it keeps.
struct LineSplitter {
    /// The longest line that makes sense, in bytes without its end.
    static let longest = 16_384

    /// A line without its end.
    enum Line: Equatable {
        case bytes(ArraySlice<UInt8>)
        /// It was longer than the limit; what it was is gone.
        case tooLong
    }

    private var bytes: ArraySlice<UInt8> = []
    /// Up to where no end of a line was found.
    private var searched = 0
    private var isSkipping = false
    private var hasEnded = false

    /// How many bytes wait.
    var count: Int { bytes.count }

    /// Whether `next` has a line.
    var hasLine: Bool { hasEnded ? !bytes.isEmpty : bytes.contains(UInt8(ascii: "\n")) }

    /// Adds what was read.
    mutating func append(_ more: UnsafeRawBufferPointer) {
        // Slices keep what is before them: begin anew where nothing much is left.
        var joined = Array(bytes)
        joined.append(contentsOf: more)
        searched -= bytes.startIndex
        bytes = joined[...]
    }

    /// Says that nothing follows: what is left is a line too.
    mutating func end() { hasEnded = true }

    /// The next line that is whole; `nil` where there is none.
    mutating func next() -> Line? {
        while true {
            guard let end = endOfLine() else { return rest() }
            let line = bytes[..<end]
            bytes = bytes[min(end + 1, bytes.endIndex)...]
            searched = bytes.startIndex
            let wasSkipping = isSkipping
            isSkipping = false
            // It has been told already.
            if wasSkipping { continue }
            return line.count > Self.longest ? .tooLong : .bytes(line)
        }
    }

    private mutating func endOfLine() -> Int? {
        let end = bytes[max(searched, bytes.startIndex)...].firstIndex(of: UInt8(ascii: "\n"))
        searched = bytes.endIndex
        return end ?? (hasEnded && !bytes.isEmpty ? bytes.endIndex : nil)
    }

    /// What has no end yet: told and forgotten once it is too long.
    private mutating func rest() -> Line? {
        guard isSkipping || bytes.count > Self.longest else { return nil }
        defer { isSkipping = true }
        bytes = []
        searched = 0
        return isSkipping ? nil : .tooLong
    }
}
