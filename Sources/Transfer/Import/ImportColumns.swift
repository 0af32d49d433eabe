package import CounterModel
import Glibc
import Linux

/// Which columns of a CSV file are which, as a user writes it: `timestamp=Date,locationId=Room,in=In,out=Out`. Two columns may make one
/// field: `timestamp=Date+Time`.
package struct ColumnNames {
    fileprivate private(set) var titles: [LineColumn: [String]] = [:]

    private static let fields = LineColumn.exchanged + LineColumn.totals

    var isEmpty: Bool { titles.isEmpty }

    /// No names: each column has the name of its field.
    package init() {}

    /// - Throws: `LineError` where the text is not of that form.
    package init(_ text: String) throws(LineError) {
        for part in text.split(separator: ",", omittingEmptySubsequences: false) {
            let pair = part.split(separator: "=", maxSplits: 1).map { String($0).withoutBlanks }
            guard pair.count == 2, !pair[1].isEmpty else {
                throw LineError(why: "'\(part)' is no field=column, such as timestamp=Date")
            }
            guard let field = Self.fields.first(where: { $0.rawValue == pair[0] }) else {
                let names = Self.fields.map(\.rawValue)
                throw LineError(
                    why: "there is no field '\(pair[0])'. \(names.suggestion(for: pair[0]))"
                        + "They are: \(names.joined(separator: ", "))")
            }
            guard titles[field] == nil else { throw LineError(why: "\(field.rawValue) is named twice") }
            titles[field] = pair[1].split(separator: "+").map { String($0).withoutBlanks }
        }
        if titles[.delta] != nil, LineColumn.totals.contains(where: { titles[$0] != nil }) {
            throw LineError(why: "delta and the totals in and out exclude each other")
        }
    }

    /// With the titles as a file spells them: upper and lower case are one where no column has the very title.
    ///
    /// - Throws: `ProgramError` (65) where it has no such column.
    fileprivate func spelled(as headings: [String], _ place: String) throws(ProgramError) -> ColumnNames {
        var names = self
        for (field, titles) in titles {
            names.titles[field] = try titles.map { title throws(ProgramError) in
                let similar = headings.filter { $0.lowercased() == title.lowercased() }
                if headings.contains(title) { return title }
                if similar.count == 1 { return similar[0] }
                throw ProgramError(
                    "\(place): there is no column '\(title)'",
                    remedy: "\(headings.suggestion(for: title))It has: \(headings.joined(separator: ", "))",
                    status: EX_DATAERR)
            }
        }
        return names
    }

    /// What to write where a file's columns have the names of fields but for upper and lower case; empty where time has no such name.
    fileprivate static func differingInCase(from headings: [String]) -> String {
        let pairs = fields.compactMap { field in
            headings.first { $0.lowercased() == field.rawValue.lowercased() }.map {
                "\(field.rawValue)=\($0)"
            }
        }
        return pairs.first?.hasPrefix(LineColumn.timestamp.rawValue) == true
            ? pairs.joined(separator: ",") : ""
    }
}

/// The columns of a CSV file.
struct ImportColumns {
    /// The field of each column; nil for an unknown one.
    private var fields: [LineColumn?] = []
    /// The names that columns have in the file, where they are not those of their fields.
    private var titles: [LineColumn: String] = [:]
    private var separator = CSV.comma

    var hasTotals: Bool { LineColumn.totals.contains { fields.contains($0) } }

    init() {}

    /// The columns that a header names. Unknown names are allowed, and blanks around names are ignored.
    init(header: ImportLines.Line, of file: String, _ names: ColumnNames) throws(ProgramError) {
        let place = "\(file):\(header.number)"
        guard String(validating: header.bytes, as: UTF8.self) != nil else {
            throw ProgramError("\(place): is no text in UTF-8", status: EX_DATAERR)
        }
        separator = CSV.separator(in: header.bytes)
        let headings = (CSV.fields(of: header.bytes, separator: separator) ?? []).map(\.withoutBlanks)
        let names = try names.spelled(as: headings, place)
        let hasTotals = ![LineColumn.delta, .type, .value].contains {
            names.titles[$0] != nil || headings.contains($0.rawValue)
        }
        let own = LineColumn.exchanged + (hasTotals ? LineColumn.totals : [])
        fields = headings.map { heading in
            names.titles.first { $0.value.contains(heading) }?.key
                ?? own.first { $0.rawValue == heading && names.titles[$0] == nil }
        }
        titles = names.titles.mapValues { $0.joined(separator: "+") }
        guard fields.contains(.timestamp) else {
            let known = LineColumn.exchanged.map(\.rawValue).joined(separator: ",")
            let meant = ColumnNames.differingInCase(from: headings)
            throw ProgramError(
                "\(place): the first line does not name the columns",
                remedy: "It may be: \(known). Where they have other names: --columns "
                    + (meant.isEmpty ? "timestamp=Date,in=In,out=Out" : meant),
                status: EX_DATAERR)
        }
        for (heading, field) in zip(headings, fields)
        where field != nil && headings.count(where: { $0 == heading }) > 1 {
            throw ProgramError("\(place): \(heading) is named twice", status: EX_DATAERR)
        }
    }

    func fields(of text: ArraySlice<UInt8>) throws(LineError) -> LineFields {
        guard String(validating: text, as: UTF8.self) != nil else {
            throw LineError(why: "is no text in UTF-8")
        }
        guard let values = CSV.fields(of: text, separator: separator) else {
            throw LineError(why: "a quote is left open")
        }
        guard values.count == fields.count else {
            throw LineError(why: "\(values.count) fields where the header has \(fields.count)")
        }
        var named: [LineColumn: String] = [:]
        for case (let field?, let value) in zip(fields, values) where !value.isEmpty {
            named[field] = named[field].map { "\($0) \(value)" } ?? value
        }
        return LineFields(named, titles: titles)
    }
}
