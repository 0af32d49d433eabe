package import Linux

extension Terminal {
    /// When `events` is to be called even if nothing can be read; nil at rest.
    package var deadline: MonotonicTime? { [input.deadline, notifier.deadline].compactMap(\.self).min() }

    /// The events since the last call, without waiting for more.
    ///
    /// Large input, such as a pasted book, is returned in parts: the descriptor stays readable, and the caller can
    /// handle other descriptors in between.
    ///
    /// - Throws: `hungUp` when the terminal is gone; what it had sent before is then lost.
    ///
    /// The corresponding C function is read(2).
    package func events(at now: MonotonicTime = .now) throws(TerminalError) -> [TerminalEvent] {
        guard !isSuspended else { return [] }
        let events = try input.events(at: now)
        let answer = notifier.bytes(version: input.takeVersion(), at: now)
        if !answer.isEmpty {
            output.append(answer.utf8)
            // What the terminal does not take now is sent before the next frame.
            _ = try output.flush()
        }
        return events
    }
}
