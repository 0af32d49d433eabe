/// Cuts the bytes of a stream into lines.
package struct LineAssembler {
    /// The line is longer than a line may be, or no UTF-8.
    package struct Invalid: Error {}

    private let limit: Int
    private var partial: [UInt8] = []

    /// - Parameter limit: the maximum length of a line in bytes.
    package init(limit: Int = RingerProtocol.maxLine) { self.limit = limit }

    /// Adds bytes that were received.
    ///
    /// - Returns: the lines that are complete now, without line feeds and carriage returns.
    /// - Throws: `Invalid`; then the stream makes no sense any more.
    package mutating func add(_ bytes: some Sequence<UInt8>) throws(Invalid) -> [String] {
        var lines: [String] = []
        for byte in bytes {
            if byte == UInt8(ascii: "\n") {
                if partial.last == UInt8(ascii: "\r") { partial.removeLast() }
                guard let line = String(validating: partial, as: UTF8.self) else { throw Invalid() }
                lines.append(line)
                partial.removeAll(keepingCapacity: true)
            } else {
                if partial.count == limit { throw Invalid() }
                partial.append(byte)
            }
        }
        return lines
    }
}
