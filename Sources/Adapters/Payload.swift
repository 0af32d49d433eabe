import CExpat
package import CounterModel
import Linux

/// What a device sent to a topic or a path.
package struct Message {
    /// Of a body, in bytes: pictures may be in it.
    package static let longest = 4 << 20

    /// The topic, or the path.
    package let place: String
    let body: [UInt8]
    package let receivedAt: Timestamp
    /// Whether the broker had retained it: when it was sent is not known.
    let isRetained: Bool
    /// The id of its packet, where the broker wants to hear that it was received.
    package var packet: Int?
    /// Whether the broker may have delivered it before.
    package var isRedelivered = false

    package init(_ body: [UInt8], at place: String, receivedAt: Timestamp, isRetained: Bool = false) {
        (self.body, self.place) = (body, place)
        (self.receivedAt, self.isRetained) = (receivedAt, isRetained)
    }
}

/// How the body of a message is written. Whatever it is, it is read into a ``JSONValue``, on which paths work.
enum PayloadFormat: String, CaseIterable {
    case json, xml, plain, form

    func read(_ body: [UInt8]) throws(LineError) -> JSONValue {
        guard body.count <= Message.longest else {
            throw LineError(why: "is larger than \(Message.longest >> 20) MiB")
        }
        switch self {
        case .json: return try JSONValue(json: body[...])
        case .xml: return try PayloadXML.read(body)
        case .plain: return .text(try Self.text(body))
        case .form:
            let text = try Self.text(body)
            return .object(try FormText.parameters(text[...]).mapValues { .text($0) })
        }
    }

    /// Without white space at its ends.
    static func text(_ body: [UInt8]) throws(LineError) -> String {
        guard let text = String(validating: body, as: UTF8.self) else {
            throw LineError(why: "is no text in UTF-8")
        }
        return String(text.trimmingBlanks)
    }
}

extension StringProtocol {
    var trimmingBlanks: SubSequence {
        let start = firstIndex { !$0.isWhitespace } ?? endIndex
        let last = lastIndex { !$0.isWhitespace }
        return self[start..<(last.map(index(after:)) ?? start)]
    }
}

// MARK: - Forms

/// Names and values as HTML forms and the queries of URLs have them.
package enum FormText {
    package static func parameters(_ text: Substring) throws(LineError) -> [String: String] {
        var parameters: [String: String] = [:]
        for pair in text.split(separator: "&") {
            let parts = pair.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
            guard let name = String(percentEncoded: parts[0], plus: " "),
                let value = String(percentEncoded: parts.count > 1 ? parts[1] : "", plus: " ")
            else {
                throw LineError(why: "is not encoded as UTF-8 with %XX")
            }
            guard parameters.updateValue(value, forKey: name) == nil else {
                throw LineError(why: "has a parameter twice")
            }
        }
        return parameters
    }
}

// MARK: - Parts

/// multipart/form-data (RFC 7578): cameras send what they say beside a picture.
package enum MultipartText {
    /// The part of a body that is text, the first one of XML or JSON; the body itself where the type is another one.
    /// Throws `LineError` where there is none.
    package static func text(in body: [UInt8], type: String?) throws(LineError) -> [UInt8] {
        guard let type, type.lowercased().hasPrefix("multipart/") else { return body }
        guard let boundary = boundary(of: type) else { throw LineError(why: "its parts have no boundary") }
        let parts = body.split(separator: Array("--\(boundary)".utf8), maxSplits: 64)
        for part in parts {
            guard let blank = part.firstRange(of: Array("\r\n\r\n".utf8)) else { continue }
            let content = part[blank.upperBound...].drop { $0 <= 0x20 }
            // What precedes the next boundary is a line end.
            if let first = content.first, "<{[".utf8.contains(first) { return Array(content) }
        }
        throw LineError(why: "none of its parts is XML or JSON")
    }

    private static func boundary(of type: String) -> String? {
        let parameters = type.split(separator: ";").dropFirst().map { $0.trimmingBlanks }
        guard let parameter = parameters.first(where: { $0.lowercased().hasPrefix("boundary=") }) else {
            return nil
        }
        let value = parameter.dropFirst("boundary=".count).filter { $0 != "\"" }
        return 1...70 ~= value.utf8.count ? value : nil
    }
}

// MARK: - XML

/// Reads XML with libexpat: names without their prefix, attributes as `@name`, an element that occurs several times as a list. The
/// root's own name is not part of a path. A DTD is refused, and with it all entities but the five of XML.
private final class PayloadXML {
    private static let deepest = 64

    private struct Element {
        let name: String
        var members: [String: JSONValue] = [:]
        var text = ""

        /// Its text, or what is in it. The text of an element with attributes is its member without a name.
        var value: JSONValue {
            let text = String(text.trimmingBlanks)
            guard !members.isEmpty else { return .text(text) }
            return .object(
                text.isEmpty ? members : members.merging(["": .text(text)]) { member, _ in member })
        }
    }

    private var open: [Element] = []
    private var root: JSONValue?
    private var refusal: String?
    private let parser: XML_Parser

    static func read(_ body: [UInt8]) throws(LineError) -> JSONValue {
        guard let parser = XML_ParserCreate(nil) else { throw LineError(why: "is not read: no memory") }
        defer { XML_ParserFree(parser) }
        let reader = PayloadXML(parser)
        let status = body.withUnsafeBytes {
            XML_Parse(parser, $0.baseAddress?.assumingMemoryBound(to: CChar.self), CInt($0.count), 1)
        }
        if status == XML_STATUS_OK, let root = reader.root { return root }
        let why = XML_ErrorString(XML_GetErrorCode(parser)).map { String(cString: $0) } ?? "unknown"
        throw LineError(why: "is no XML: \(reader.refusal ?? why) (line \(XML_GetCurrentLineNumber(parser)))")
    }

    private init(_ parser: XML_Parser) {
        self.parser = parser
        XML_SetUserData(parser, Unmanaged.passUnretained(self).toOpaque())
        XML_SetElementHandler(
            parser, { PayloadXML.of($0).begin($1, $2) }, { context, _ in PayloadXML.of(context).end() })
        XML_SetCharacterDataHandler(parser) { PayloadXML.of($0).add($1, Int($2)) }
        XML_SetStartDoctypeDeclHandler(parser) { context, _, _, _, _ in
            PayloadXML.of(context).refuse("a DTD is not read")
        }
    }

    private static func of(_ context: UnsafeMutableRawPointer?) -> PayloadXML {
        guard let context else { preconditionFailure("a parser without its reader") }
        return Unmanaged<PayloadXML>.fromOpaque(context).takeUnretainedValue()
    }

    private func refuse(_ why: String) {
        refusal = refusal ?? why
        XML_StopParser(parser, XML_Bool(0))
    }

    private func begin(
        _ name: UnsafePointer<CChar>?, _ attributes: UnsafeMutablePointer<UnsafePointer<CChar>?>?
    ) {
        guard open.count < Self.deepest else { return refuse("it is nested too deeply") }
        var element = Element(name: Self.localName(name))
        // Names and values in turn, up to a null pointer.
        var rest = attributes
        while let pair = rest, let name = pair[0], let value = pair[1] {
            let attribute = String(cString: name)
            if attribute != "xmlns", !attribute.hasPrefix("xmlns:") {
                element.members["@\(Self.localName(name))"] = .text(String(cString: value))
            }
            rest = pair + 2
        }
        open.append(element)
    }

    private func end() {
        guard let element = open.popLast() else { return }
        guard let last = open.indices.last else {
            root = element.value
            return
        }
        switch open[last].members.removeValue(forKey: element.name) {
        case nil: open[last].members[element.name] = element.value
        case .list(let others): open[last].members[element.name] = .list(others + [element.value])
        case let other?: open[last].members[element.name] = .list([other, element.value])
        }
    }

    private func add(_ text: UnsafePointer<CChar>?, _ count: Int) {
        guard let text, let last = open.indices.last else { return }
        open[last].text += String(decoding: UnsafeRawBufferPointer(start: text, count: count), as: UTF8.self)
    }

    private static func localName(_ name: UnsafePointer<CChar>?) -> String {
        let name = name.map { String(cString: $0) } ?? ""
        return name.lastIndex(of: ":").map { String(name[name.index(after: $0)...]) } ?? name
    }
}
