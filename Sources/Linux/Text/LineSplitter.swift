/// Splits the bytes of a stream into lines, with limited memory.
package struct LineSplitter {
    /// A line without its line end.
    package enum Line: Equatable {
        case bytes(ArraySlice<UInt8>)
        /// The line exceeded the limit; its bytes were dropped.
        case tooLong
    }

    /// The maximum length of a line in bytes, without its line end.
    package let longest: Int
    private var bytes: ArraySlice<UInt8> = []
    /// The bytes before this index contain no line end.
    private var searched = 0
    private var isSkipping = false
    private var hasEnded = false

    package init(longest: Int) { self.longest = longest }

    package var count: Int { bytes.count }

    package var hasLine: Bool {
        hasEnded ? !bytes.isEmpty : bytes[max(searched, bytes.startIndex)...].contains(UInt8(ascii: "\n"))
    }

    package mutating func append(_ more: UnsafeRawBufferPointer) {
        // The slice keeps the memory of earlier lines. Copying the rest to a new array frees it.
        var joined = Array(bytes)
        joined.append(contentsOf: more)
        searched -= bytes.startIndex
        bytes = joined[...]
    }

    /// Marks the end of the input: the remaining bytes are a line too.
    package mutating func end() { hasEnded = true }

    package mutating func next() -> Line? {
        while true {
            guard let end = endOfLine() else { return rest() }
            let line = bytes[..<end]
            bytes = bytes[min(end + 1, bytes.endIndex)...]
            searched = bytes.startIndex
            let wasSkipping = isSkipping
            isSkipping = false
            // `rest` has already returned this line as too long.
            if wasSkipping { continue }
            return line.count > longest ? .tooLong : .bytes(line)
        }
    }

    private mutating func endOfLine() -> Int? {
        let end = bytes[max(searched, bytes.startIndex)...].firstIndex(of: UInt8(ascii: "\n"))
        searched = bytes.endIndex
        return end ?? (hasEnded && !bytes.isEmpty ? bytes.endIndex : nil)
    }

    /// An incomplete line; returned as `tooLong`, once, and dropped where it exceeds the limit.
    private mutating func rest() -> Line? {
        guard isSkipping || bytes.count > longest else { return nil }
        defer { isSkipping = true }
        bytes = []
        searched = 0
        return isSkipping ? nil : .tooLong
    }
}

extension LineSplitter {
    /// A line is too long, or no UTF-8.
    package struct Invalid: Error {}

    /// Adds bytes, and returns the lines that are complete now, without carriage returns at their ends.
    package mutating func add(_ bytes: some Sequence<UInt8>) throws(Invalid) -> [String] {
        Array(bytes).withUnsafeBytes { append($0) }
        var lines: [String] = []
        while let line = next() {
            guard case .bytes(var text) = line else { throw Invalid() }
            if text.last == UInt8(ascii: "\r") { text.removeLast() }
            guard let text = String(validating: text, as: UTF8.self) else { throw Invalid() }
            lines.append(text)
        }
        return lines
    }
}
