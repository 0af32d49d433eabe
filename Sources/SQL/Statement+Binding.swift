import CSQLite
package import Linux

/// A parameter that is looked up once, for a name that is made at run time.
package struct Parameter: Sendable {
    let index: Int
}

extension Statement {
    /// Binds an integer; nil is NULL.
    @discardableResult
    package func bind(_ name: StaticString, _ value: Int64?) throws(SQLError) -> Statement {
        try bind(Parameter(index: parameters.index(of: name)), value)
        return self
    }

    /// Binds an integer; nil is NULL.
    @discardableResult
    package func bind(_ name: StaticString, _ value: Int?) throws(SQLError) -> Statement {
        try bind(Parameter(index: parameters.index(of: name)), value.map(Int64.init))
        return self
    }

    /// Binds a truth value as 1 or 0.
    @discardableResult
    package func bind(_ name: StaticString, _ value: Bool) throws(SQLError) -> Statement {
        try bind(Parameter(index: parameters.index(of: name)), value ? 1 : 0)
        return self
    }

    /// Binds a number; nil is NULL.
    @discardableResult
    package func bind(_ name: StaticString, _ value: Double?) throws(SQLError) -> Statement {
        let parameter = parameters.index(of: name)
        if let value {
            try check(sqlite3_bind_double(handle, noteBound(parameter), value))
        } else {
            try bindNull(parameter)
        }
        return self
    }

    /// Binds a copy of a text; nil is NULL.
    @discardableResult
    package func bind(_ name: StaticString, _ value: String?) throws(SQLError) -> Statement {
        let parameter = parameters.index(of: name)
        guard var value else {
            try bindNull(parameter)
            return self
        }
        let index = noteBound(parameter)
        let status = value.withUTF8 { utf8 in
            utf8.withMemoryRebound(to: CChar.self) { bytes in
                // The address of an empty text may be NULL, which would bind NULL.
                csqlite_bind_copied_text(handle, index, bytes.baseAddress ?? emptyText, UInt64(bytes.count))
            }
        }
        try check(status)
        return self
    }

    /// Binds a copy of an id; nil is NULL.
    @discardableResult
    package func bind(_ name: StaticString, _ id: Identifier?) throws(SQLError) -> Statement {
        try bind(name, id?.text)
    }

    /// Binds a text without copying it, while `body` runs the statement.
    ///
    /// - throws: `SQLError`, or what `body` throws.
    package func binding<T>(_ name: StaticString, to text: String, _ body: (Statement) throws -> T) throws
        -> T
    {
        let parameter = parameters.index(of: name)
        let index = noteBound(parameter)
        var text = text
        return try text.withUTF8 { utf8 in
            try utf8.withMemoryRebound(to: CChar.self) { bytes in
                try check(
                    csqlite_bind_borrowed_text(
                        handle, index, bytes.baseAddress ?? emptyText, UInt64(bytes.count)))
                defer {
                    // SQLite must release the text before it goes.
                    reset()
                    sqlite3_bind_null(handle, index)
                    noteNull(parameter)
                }
                return try body(self)
            }
        }
    }

    /// Binds an id without copying it, while `body` runs the statement.
    ///
    /// - throws: `SQLError`, or what `body` throws.
    package func binding<T>(_ name: StaticString, to id: Identifier, _ body: (Statement) throws -> T) throws
        -> T
    {
        try binding(name, to: id.text, body)
    }

    /// The parameter of a name that is made at run time.
    package func parameter(named name: String) -> Parameter { Parameter(index: parameters.index(of: name)) }

    /// Binds an integer; nil is NULL.
    package func bind(_ parameter: Parameter, _ value: Int64?) throws(SQLError) {
        guard let value else { return try bindNull(parameter.index) }
        try check(sqlite3_bind_int64(handle, noteBound(parameter.index), value))
    }
}

/// An empty text with an address.
nonisolated(unsafe) private let emptyText: UnsafePointer<CChar> = {
    let text = UnsafeMutablePointer<CChar>.allocate(capacity: 1)
    text.initialize(to: 0)
    return UnsafePointer(text)
}()
