package import CounterModel
package import Linux

/// What a key, a click or an answer does.
package typealias Action = () -> Void

/// What the keys of all screens have the program do.
package protocol ScreenActions: AnyObject {
    /// Counts by hand; nil for the location that is shown.
    func count(_ type: EntryType, at location: Identifier?)
    func reset()
    /// Voids the last change by hand; nil for the location that is shown.
    func undo(at location: Identifier?)
    /// Appends again what the last undo has voided; nil for the location that is shown.
    func redo(at location: Identifier?)
    func say()
    func toggleCapture()
    func acknowledge()
    /// Says that a viewer may change nothing.
    func refuseChange()
    /// Rings the bell, because the input was refused.
    func ring()
    /// Draws every cell again, whatever the terminal shows.
    func repaint()
    /// Stops until the shell continues the program.
    func suspend()
    func quit()
}

/// What all screens share: the locations, the overlay, and what the program does for them.
package final class ScreenContext {
    package var locations = LocationChoice()
    package private(set) var overlay: Overlay?
    /// The page of the overlay, from 0; negative pages count from the last. The view takes it modulo the number of pages.
    private(set) var page = 0
    package weak var program: (any ScreenActions)?

    package enum Overlay {
        case text(Text)
        case field(FieldPrompt)
        case question(Question)
    }

    /// What can be read over a screen: the keys, the input devices with reasons and remedies, the anomalies of a range.
    package enum Text: Hashable {
        case help, details, anomalies
    }

    package var text: Text? { if case .text(let text) = overlay { text } else { nil } }
    package var field: FieldPrompt? { if case .field(let prompt) = overlay { prompt } else { nil } }
    package var question: Question? { if case .question(let question) = overlay { question } else { nil } }

    func show(_ overlay: Overlay?) {
        self.overlay = overlay
        page = 0
    }

    func toggle(_ text: Text) { show(self.text == text ? nil : .text(text)) }

    package func ask(_ question: Question) { show(.question(question)) }
    func ask(_ prompt: FieldPrompt) { show(.field(prompt)) }
    package func close() { show(nil) }

    /// Updates an open question with the present state, and keeps its page; closes it and throws why where it no longer
    /// applies.
    package func renewQuestion() throws {
        guard let renew = question?.renew else { return }
        do {
            var question = try renew()
            question.renew = renew
            overlay = .question(question)
        } catch {
            close()
            throw error
        }
    }

    /// Shows why the typed text is invalid, and rings the bell; the field stays open. False where none is open.
    @discardableResult
    package func refuseField(_ problem: String) -> Bool {
        guard var prompt = field else { return false }
        prompt.field.problem = problem.sanitised
        overlay = .field(prompt)
        program?.ring()
        return true
    }

    /// Closes a field whose text has been accepted.
    package func closeField() { if field != nil { close() } }

    /// Why the text of a field is invalid; nil where that is unknown.
    func problem(of prompt: FieldPrompt) -> String? {
        isGone(prompt) ? FieldPrompt.gone : prompt.field.problem
    }

    private func isGone(_ prompt: FieldPrompt) -> Bool {
        prompt.locationId.map { !locations.contains($0) } ?? false
    }

    func count(_ type: EntryType, selecting id: Identifier) {
        locations.select(id)
        program?.count(type, at: id)
    }

    /// Selects the location that many places after the selected one; nil where there is none.
    func neighbour(_ steps: Int) -> Action? { select(locations.neighbour(steps)) }

    func select(_ location: Location?) -> Action? {
        location.map { location in { self.locations.select(location.id) } }
    }

    // MARK: - Keys

    /// The key of two, a letter and a sign, that a screen has: the letter, or where that counts in a location, the sign.
    package func name(of keys: String) -> String {
        let isTaken = locations.all.contains { $0.key.map { $0.character == keys.first } ?? false }
        return isTaken ? String(keys.suffix(1)) : keys.prefix(1).uppercased()
    }

    /// The letters of locations, which count on every screen: the small one up, the capital down. The help has them if they are
    /// `named`.
    func letterKeys(named: Bool) -> [KeyBinding] {
        locations.all.flatMap { location -> [KeyBinding] in
            guard let key = location.key else { return [] }
            let help = ("\(key), \(key.capital)", "count up, count down in \(location.name.sanitised)")
            return [
                KeyBinding(String(key.character), isExact: true, help: named ? help : nil) {
                    self.count(.in, selecting: location.id)
                },
                KeyBinding(String(key.capital), isExact: true) { self.count(.out, selecting: location.id) },
            ]
        }
    }

    /// The action of a key that the overlay handles itself; nil where it has none.
    func action(for event: TerminalEvent) -> Action? {
        switch (overlay, event) {
        case (nil, _): nil
        case (.field(let prompt), _): action(for: event, in: prompt)
        case (_, .key(.pageDown)), (_, .character(" ")): { self.page += 1 }
        case (_, .key(.pageUp)): { self.page -= 1 }
        case (.question, .character("y")), (.question, .character("Y")): answerYes
        // Enter and Escape mean no, because a no changes nothing.
        case (.question, .character("n")), (.question, .character("N")), (_, .key(.escape)),
            (_, .key(.enter)):
            close
        default: nil
        }
    }

    func answerYes() {
        let yes = question?.yes
        close()
        yes?()
    }

    private func action(for event: TerminalEvent, in prompt: FieldPrompt) -> Action? {
        if event == .key(.escape) {
            guard let back = prompt.back else { return close }
            return { back(prompt.field.text) }
        }
        if event == .key(.enter) { return { self.submit(prompt) } }
        var edited = prompt
        guard let outcome = edited.field.edit(event) else { return nil }
        return { [edited] in
            self.overlay = .field(edited)
            if outcome == .refused { self.program?.ring() }
        }
    }

    private func submit(_ prompt: FieldPrompt) {
        if prompt.field.text == prompt.unchanged { return close() }
        if isGone(prompt) {
            refuseField(FieldPrompt.gone)
            return
        }
        do throws(FieldProblem) { try prompt.submit(prompt.field.text) } catch { refuseField(error.text) }
    }
}

/// The locations that can be selected, and the selected one, which all screens share.
package struct LocationChoice: Hashable, Sendable {
    /// All locations, in display order.
    package private(set) var all: [Location] = []
    /// The id of the selected location; one of `all` unless that is empty.
    package private(set) var selected: Identifier = ""

    package init() {}

    /// Replaces the locations. The selected one stays selected if it still exists; `preferred` is selected where nothing
    /// was.
    package mutating func offer(_ locations: [Location], preferred: Identifier) {
        all = locations
        for id in [selected, preferred] + locations.map(\.id).prefix(1) where contains(id) {
            selected = id
            return
        }
        selected = ""
    }

    /// Selects the location with this id; does nothing where there is none.
    package mutating func select(_ id: Identifier) {
        if contains(id) { selected = id }
    }

    package var selectedLocation: Location? { all.first { $0.id == selected } }

    /// The location `steps` after the selected one, or before it where negative; nil where there is none.
    func neighbour(_ steps: Int) -> Location? {
        guard let index = all.firstIndex(where: { $0.id == selected }) else { return nil }
        return all.indices.contains(index + steps) ? all[index + steps] : nil
    }

    /// The location after the selected one, or before it; the first follows the last. nil where there is no other.
    func following(_ steps: Int) -> Location? {
        guard all.count > 1, let index = all.firstIndex(where: { $0.id == selected }) else {
            return all.first { $0.id != selected }
        }
        return all[(index + steps + all.count) % all.count]
    }

    func contains(_ id: Identifier) -> Bool { all.contains { $0.id == id } }
}

extension [Location] {
    /// The location with a typed name, or id.
    func named(_ text: String) throws(FieldProblem) -> Location {
        guard let location = first(where: { $0.name == text }) ?? first(where: { $0.id == Identifier(text) })
        else {
            let similar = map(\.name).suggestion(for: text)
            throw FieldProblem(
                "there is no location '\(text)'\(similar.isEmpty ? "" : ". " + similar)")
        }
        return location
    }
}

/// A screen with a tab, its own keys and its own view. Count is drawn differently: its number takes precedence over
/// everything else.
protocol TabScreen: AnyObject {
    /// The keys; `area` is the part of the terminal between the top line, the alerts and the key line.
    func keys(in area: Size) -> [KeyBinding]
    /// The action of a number of wheel clicks, up where negative.
    func scroll(_ clicks: Int, in area: Size) -> Action?
    /// Draws into `rows`, which are empty: at least 2 rows of at least 20 columns.
    func draw(into frame: inout Frame, rows: Range<Int>, theme: Theme)
}
