import Linux

// Overlays that wait for an answer: a text, or a confirmation.

extension ScreensViewModel {
    package mutating func ask(_ question: Question) { show(.question(question)) }

    /// Updates the open question with the present state, and keeps its page.
    package mutating func askAnew(_ question: Question) {
        if case .question = overlay { overlay = .question(question) }
    }

    /// Closes a question that no longer applies.
    ///
    /// - Parameter notice: The reason.
    package mutating func leaveQuestion(_ notice: String) {
        guard case .question = overlay else { return }
        show(nil)
        count.notice = notice
    }

    /// Shows why the typed text is invalid; the field stays open.
    ///
    /// - returns: False where no field is open.
    @discardableResult
    package mutating func refuseField(_ problem: String) -> Bool {
        guard case .field(var prompt) = overlay else { return false }
        prompt.field.problem = problem.sanitised
        overlay = .field(prompt)
        return true
    }

    /// Closes a field whose text has been accepted.
    package mutating func closeField() {
        if case .field = overlay { show(nil) }
    }

    /// The intent of a key in the open field.
    mutating func fieldIntent(for event: TerminalEvent) -> Intent? {
        guard case .field(var prompt) = overlay else { return nil }
        switch event {
        case .key(.escape): return .closeOverlay
        case .key(.enter): return submit(prompt)
        case .key, .character, .pasted, .pasteCutOff, .click, .scroll, .resize, .focusGained, .focusLost,
            .volumeKey:
            break
        }
        guard let outcome = prompt.field.edit(event) else { return nil }
        overlay = .field(prompt)
        return switch outcome {
        case .edited: .redraw
        case .refused: .ring
        }
    }

    private mutating func submit(_ prompt: FieldPrompt) -> Intent {
        let edit: AdminEdit
        switch prompt.purpose {
        case .range: return .history(.show(prompt.field.text))
        case .timer(let draft): return submit(draft, prompt.field.text)
        case .preference(let preference):
            return prompt.isUnchanged ? .closeOverlay : .timers(.set(preference, prompt.field.text))
        case .edit(let purpose): edit = purpose
        }
        if edit.showsWhatIsThere, prompt.isUnchanged { return .closeOverlay }
        do throws(FieldProblem) {
            return .admin(.change(try edit.change(typed: prompt.field.text, locations: locations.all)))
        } catch {
            refuseField(error.text)
            return .redraw
        }
    }

    /// Opens the next field of a timer, or submits it after the last.
    private mutating func submit(_ draft: TimerDraft, _ text: String) -> Intent {
        var draft = draft
        do throws(FieldProblem) {
            if try draft.take(text, locations.all) { return .timers(.submit(draft)) }
            show(.field(draft.prompt(locations.all)))
        } catch { refuseField(error.text) }
        return .redraw
    }

    /// Why the text is invalid; nil where that is not known.
    func problem(of prompt: FieldPrompt) -> String? {
        guard case .edit(let edit) = prompt.purpose, let id = edit.locationId, !locations.contains(id) else {
            return prompt.field.problem
        }
        return FieldProblem.gone.text
    }

    /// Closes the question. A yes returns the question's intent.
    mutating func answer(_ isYes: Bool) -> Intent {
        guard case .question(let question) = overlay else { return .redraw }
        show(nil)
        return isYes ? question.yes : .redraw
    }

    /// Opens fields and selects rows; everything else is left to the executable.
    ///
    /// - returns: True where the intent only concerned what is shown, and has been handled.
    mutating func apply(_ intent: TimersIntent) -> Bool {
        switch intent {
        case .choose(let row): timers.choose(row)
        case .edit(let draft):
            guard timers.mayChange else { return false }
            if let id = draft.presetId { timers.choose(.preset(id)) }
            show(.field(draft.prompt(locations.all)))
        case .type(let preference):
            timers.choose(.preference(preference))
            guard timers.mayChange, let line = timers.line(of: preference) else { return false }
            show(.field(line.prompt))
        case .perform, .extend, .keep, .startPreset, .hidePreset, .restorePreset, .submit, .acknowledge, .set:
            return false
        }
        return true
    }

    /// Changes that a viewer may not make are left to the executable, which refuses them.
    ///
    /// - returns: True where the intent only concerned what is shown, and has been handled.
    mutating func apply(_ intent: AdminIntent) -> Bool {
        switch intent {
        case .choose(let row): admin.choose(row)
        case .edit(let edit):
            guard admin.mayChange else { return false }
            if let row = edit.row { admin.choose(row) }
            if let prompt = admin.prompt(for: edit) { show(.field(prompt)) }
        case .askToEndDay, .askToEndOverdueDay, .askToHide, .askToForget, .change: return false
        }
        return true
    }
}

extension AdminEdit {
    /// The row that the edit belongs to; nil for none.
    fileprivate var row: AdminRow? {
        switch self {
        case .setting(let property, _): .setting(property)
        case .deviceName(let id), .deviceLocation(let id): .device(id)
        case .newLocation, .correction: nil
        }
    }
}
