import CounterModel
import Linux
import Reports
import Testing

@testable import CounterTUI

/// Records what keys and clicks have the program do.
final class Recorder: ScreenActions, HistoryActions, AdminActions, TimersActions {
    private(set) var calls: [String] = []

    init(_ screens: Screens) {
        screens.context.program = self
        (screens.history.actions, screens.admin.actions, screens.timers.actions) = (self, self, self)
    }

    private func note(_ call: String) { calls.append(call) }

    func count(_ type: EntryType, at location: Identifier?) {
        note("count \(type)\(location.map { " at \($0)" } ?? "")")
    }

    func reset() { note("reset") }
    func undo(at location: Identifier?) { note("undo\(location.map { " at \($0)" } ?? "")") }
    func redo(at location: Identifier?) { note("redo\(location.map { " at \($0)" } ?? "")") }
    func say() { note("say") }
    func toggleCapture() { note("capture") }
    func acknowledge() { note("acknowledge") }
    func refuseChange() { note("refuse") }
    func ring() { note("ring") }
    func repaint() { note("repaint") }
    func suspend() { note("suspend") }
    func quit() { note("quit") }

    func choose(_ selection: HistorySelection) { note("choose \(selection)") }
    func step(_ step: HistoryChoice.Step) { note("step \(step)") }
    func show(typed text: String) { note("show \(text)") }
    func move(_ move: HistoryReading.Move, visible: Int) {
        switch move {
        case .select(let rows): note("move \(rows) of \(visible)")
        case .scroll(let rows): note("scroll \(rows) of \(visible)")
        case .latest: note("latest")
        case .earliest: note("earliest of \(visible)")
        }
    }
    func select(_ position: Position) { note("select \(position)") }
    func askToTakeBack(_ position: Position) { note("take back \(position)?") }

    func set(_ setting: LocationSetting, of location: Identifier) { note("set \(setting) of \(location)") }
    func askToShare(_ location: Identifier) { note("share \(location)?") }
    func askToJoin(_ offer: AdminOffer, of peer: String) { note("join \(offer.name) of \(peer)?") }
    func askToStopSharing(_ location: Identifier) { note("share \(location) no longer?") }
    func addLocation(named name: String) { note("add \(name)") }
    func correct(_ correction: TypedCorrection, at location: Identifier) {
        note("correct \(correction.amount) at \(location): \(correction.reason)")
    }
    func set(_ setting: DeviceSetting, of device: Identifier, to location: Identifier?) {
        switch setting {
        case .name(let name): note("rename \(device) to \(name)")
        case .location: note("assign \(device) to \(location?.text ?? "any")")
        case .isActive(let isActive): note("\(device) \(isActive ? "on" : "off")")
        case .isForgotten: note("forget \(device)")
        }
    }
    func askToEndDay(of location: Identifier) { note("end the day of \(location)?") }
    func askToEndOverdueDay(of location: Identifier) { note("end the day before of \(location)?") }
    func askToTakeBackEnd(_ end: Position, of location: Identifier) {
        note("take back the end \(end.number) of \(location)?")
    }
    func askToHide(_ location: Identifier) { note("hide \(location)?") }
    func askToForget(device: Identifier) { note("forget \(device)?") }

    func perform(_ action: TimerAction, on timer: UniqueId) { note("\(action) \(timer)") }
    func extend(_ timer: UniqueId) { note("extend \(timer)") }
    func keep(_ timer: UniqueId) { note("keep \(timer)") }
    func startPreset(_ preset: UniqueId) { note("start \(preset)") }
    func hidePreset(_ preset: UniqueId) { note("hide \(preset)") }
    func restorePreset(_ preset: UniqueId) { note("restore \(preset)") }
    func submit(_ draft: TimerDraft) {
        note("submit \(draft.setup)\(draft.presetId.map { " as \($0)" } ?? "")")
    }
    func set(_ preference: Preference, to text: String) { note("\(preference) \(text)") }
}

extension Screens {
    /// What an event does on a screen of a size: what the program has to do, empty where only the screen changes, nil for nothing.
    func press(_ event: TerminalEvent, _ size: Size = Size(columns: 80, rows: 24)) -> String? {
        effect(of: action(for: event, on: ScreensView(.best).draw(self, size: size)))
    }

    @discardableResult
    func press(_ events: [TerminalEvent]) -> [String?] { events.map { press($0) } }

    /// What typed characters do.
    @discardableResult
    func type(_ text: String) -> [String?] { press(text.map(TerminalEvent.character)) }

    func effect(of action: Action?) -> String? {
        guard let action else { return nil }
        let recorder = Recorder(self)
        action()
        return recorder.calls.joined(separator: ", ")
    }

    /// What a click on the first cell of a text does.
    func click(_ text: String) throws -> String? {
        let frame = self.frame()
        let row = try #require(frame.grid.lines.firstIndex { $0.contains(text) })
        let line = frame.grid.lines[row]
        let start = try #require(line.firstRange(of: text)).lowerBound
        let point = Point(column: CharacterWidth.columns(String(line[..<start])), row: row)
        return effect(of: action(for: .click(point), on: frame))
    }
}
