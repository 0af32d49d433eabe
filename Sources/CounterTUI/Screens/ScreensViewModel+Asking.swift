import System

// What is asked of somebody over a screen: a text, or a yes.

extension ScreensViewModel {
    /// Asks before something is done.
    public mutating func ask(_ question: Question) { show(.question(question)) }

    /// Asks the same with what is so by now, on the page that is looked at.
    public mutating func askAnew(_ question: Question) {
        if case .question = overlay { overlay = .question(question) }
    }

    /// Leaves a question that cannot be asked any more.
    ///
    /// - Parameter notice: Why.
    public mutating func leaveQuestion(_ notice: String) {
        guard case .question = overlay else { return }
        show(nil)
        count.notice = notice
    }

    /// Tells why what was typed cannot be taken: the field stays open.
    ///
    /// - returns: False where no field is open.
    @discardableResult
    public mutating func refuseField(_ problem: String) -> Bool {
        guard case .field(var prompt) = overlay else { return false }
        prompt.field.problem = problem.harmless
        overlay = .field(prompt)
        return true
    }

    /// Leaves a field whose text has been taken.
    public mutating func closeField() {
        if case .field = overlay { show(nil) }
    }

    /// What a key means to the field that is open.
    mutating func fieldIntent(for event: TerminalEvent) -> Intent? {
        guard case .field(var prompt) = overlay else { return nil }
        switch event {
        case .key(.escape): return .closeOverlay
        case .key(.enter): return submit(prompt)
        case .key, .character, .pasted, .click, .scroll, .resize, .focusGained, .focusLost, .volumeKey: break
        }
        guard let outcome = prompt.field.edit(event) else { return nil }
        overlay = .field(prompt)
        return switch outcome {
        case .edited: .redraw
        case .refused: .ring
        }
    }

    private mutating func submit(_ prompt: FieldPrompt) -> Intent {
        guard case .edit(let edit) = prompt.purpose else { return .history(.show(prompt.field.text)) }
        if edit.showsWhatIsThere, prompt.isUnchanged { return .closeOverlay }
        do throws(FieldProblem) {
            return .admin(.change(try edit.change(typed: prompt.field.text, places: places.all)))
        } catch {
            refuseField(error.text)
            return .redraw
        }
    }

    /// Why the text cannot be taken; nil as long as nobody knows.
    func problem(of prompt: FieldPrompt) -> String? {
        guard case .edit(let edit) = prompt.purpose, let id = edit.locationId, !places.contains(id) else {
            return prompt.field.problem
        }
        return FieldProblem.gone.text
    }

    /// The question is gone, whatever the answer; a yes is what it was about.
    mutating func answer(_ isYes: Bool) -> Intent {
        guard case .question(let question) = overlay else { return .redraw }
        show(nil)
        return isYes ? question.yes : .redraw
    }

    /// What a viewer may not do is left to the executable, which says so.
    ///
    /// - returns: True where it was only about what is shown, and has been done.
    mutating func apply(_ intent: AdminIntent) -> Bool {
        switch intent {
        case .choose(let row): admin.choose(row)
        case .edit(let edit):
            guard admin.mayChange else { return false }
            if let row = edit.row { admin.choose(row) }
            if let prompt = admin.prompt(for: edit) { show(.field(prompt)) }
        case .askToEndDay, .askToHide, .change: return false
        }
        return true
    }
}

extension AdminEdit {
    /// The row that it belongs to; nil where that is none.
    fileprivate var row: AdminRow? {
        switch self {
        case .setting(let property, _): .setting(property)
        case .deviceName(let id), .devicePlace(let id): .device(id)
        case .newLocation, .correction: nil
        }
    }
}
