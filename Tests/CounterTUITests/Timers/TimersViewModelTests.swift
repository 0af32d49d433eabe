import CounterModel
import Testing

@testable import CounterTUI

@Suite("Timers: keys and fields") struct TimersViewModelTests {
    private let frame = Frame(size: Size(columns: 80, rows: 24))

    private func intents(_ model: inout ScreensViewModel, _ events: [TerminalEvent]) -> [Intent] {
        events.compactMap { model.intent(for: $0, on: frame) }
    }

    private func type(_ text: String) -> [TerminalEvent] { text.map { .character($0) } }

    @Test func aTimerIsThreeFields() throws {
        var model = TimersSample().screens(at: 0)
        _ = intents(&model, type("n5m  Robins") + [.key(.enter)])
        guard case .field(let mode) = model.overlay else { return #expect(Bool(false)) }
        #expect(mode.field.text == "sound")
        _ = intents(&model, [.character("\u{15}")] + type("Silent") + [.key(.enter)])
        guard case .field(let place) = model.overlay else { return #expect(Bool(false)) }
        #expect(place.field.text == "Hall")
        let last = intents(&model, type(", North door") + [.key(.enter)]).last
        guard case .timers(.submit(let draft)) = last else { return #expect(Bool(false), "\(last as Any)") }
        #expect(
            draft.setup
                == TimerSetup(
                    label: "Robins", seconds: 300, mode: .silent, locations: .some(["Hall", "North door"])))
        #expect(draft.presetId == nil)
    }

    @Test(
        arguments: [
            ("0", "1s to 99:59:59"), ("100h", "1s to 99:59:59"), ("soon", "no duration"),
            ("", "enter how long"),
        ])
    func aWrongDurationStaysInTheField(text: String, why: String) {
        var model = TimersSample().screens(at: 0)
        _ = intents(&model, type("n" + text) + [.key(.enter)])
        guard case .field(let prompt) = model.overlay else { return #expect(Bool(false)) }
        #expect(prompt.field.problem?.contains(why) == true)
    }

    @Test(arguments: [
        ("5m Robins", 300, 1, 0, "Robins"), ("3 x 5m, 1m Sets of ten", 300, 3, 60, "Sets of ten"),
        ("2 × 90s", 90, 2, 0, ""), ("3 x 5m Sets, short", 300, 3, 0, "Sets, short"), ("5 x", 300, 1, 0, "x"),
    ])
    func roundsAreTypedAsTheyAreShown(text: String, seconds: Int, rounds: Int, pause: Int, label: String) {
        var model = TimersSample().screens(at: 0)
        let intents = intents(&model, type("n" + text) + Array(repeating: .key(.enter), count: 3))
        guard case .timers(.submit(let draft)) = intents.last else { return #expect(Bool(false)) }
        #expect(draft.setup.seconds == seconds && draft.setup.rounds == rounds)
        #expect(draft.setup.pauseSeconds == pause && draft.setup.label == label)
    }

    @Test(arguments: [("0 x 5m", "1 to 99 rounds"), ("3 x 5m, soon", "'soon' is no duration")])
    func wrongRoundsStayInTheField(text: String, why: String) {
        var model = TimersSample().screens(at: 0)
        _ = intents(&model, type("n" + text) + [.key(.enter)])
        guard case .field(let prompt) = model.overlay else { return #expect(Bool(false)) }
        #expect(prompt.field.problem?.contains(why) == true)
    }

    @Test func theTabIsNamedOnANarrowScreen() {
        var model = TimersSample.ordinary.screens(at: 28)
        model.count.location = nil
        let drawn = ScreensView(model, capabilities: .best).draw(size: Size(columns: 40, rows: 12))
        #expect(drawn.grid.lines[0].contains("5 Timers"), "\(drawn.grid.lines[0])")
    }

    @Test func aRemovedPresetIsRestored() throws {
        var model = TimersSample.ordinary.screens(at: 28)
        #expect(intents(&model, type("u")).isEmpty)
        let id = try #require(model.timers.presets.first).id
        model.timers.removedPreset = id
        #expect(intents(&model, type("u")) == [.timers(.restorePreset(id))])
    }

    @Test func enterDoesWhatTheFirstButtonSays() throws {
        let sample = TimersSample.ordinary
        var model = sample.screens(at: 28)
        let id = sample.ids
        #expect(intents(&model, [.key(.enter)]) == [.timers(.perform(.pause, id[0]))])
        #expect(intents(&model, [.key(.down), .key(.enter)]).last == .timers(.perform(.resume, id[1])))
        #expect(intents(&model, type("p")) == [.timers(.perform(.resume, id[1]))])
        #expect(intents(&model, type("s")) == [.timers(.perform(.stop, id[1]))])
        #expect(intents(&model, type("x")) == [.timers(.perform(.remove, id[1]))])
        #expect(intents(&model, type("+*")) == [.timers(.extend(id[1])), .timers(.keep(id[1]))])
    }

    @Test func aPresetIsStartedEditedAndRemoved() throws {
        var model = TimersSample.ordinary.screens(at: 28)
        let preset = try #require(model.timers.presets.first)
        _ = intents(&model, [.key(.down), .key(.down), .key(.down)])
        #expect(intents(&model, [.key(.enter)]) == [.timers(.startPreset(preset.id))])
        #expect(intents(&model, type("x")) == [.timers(.hidePreset(preset.id))])
        _ = intents(&model, type("e"))
        guard case .field(let prompt) = model.overlay else { return #expect(Bool(false)) }
        #expect(prompt.field.text == "1m Press-ups")
    }

    @Test func theOptionsOfAPresetAreAField() throws {
        var model = TimersSample.ordinary.screens(at: 28)
        let preset = try #require(model.timers.presets.first)
        _ = intents(
            &model, [.key(.down), .key(.down), .key(.down)] + type("e") + [.key(.enter), .key(.enter)])
        guard case .field(let options) = model.overlay else { return #expect(Bool(false)) }
        #expect(options.title == "Preset: options" && options.field.text == "")
        _ = intents(&model, type("Lead-in, last  minute, urgent,discard, volume 101") + [.key(.enter)])
        guard case .field(let refused) = model.overlay else { return #expect(Bool(false)) }
        #expect(refused.field.problem == "the volume is 0 to 100")
        let last = intents(&model, [.key(.left), .key(.delete), .key(.enter), .key(.enter)]).last
        guard case .timers(.submit(let draft)) = last else { return #expect(Bool(false), "\(last as Any)") }
        var setup = preset.setup
        (setup.leadInSeconds, setup.announcesLastMinute, setup.isUrgent) = (3, true, true)
        (setup.endAction, setup.volume) = (.discard, 10)
        #expect(draft.setup == setup && draft.presetId == preset.id)
        #expect(setup.presetWords == ["lead-in", "last minute", "urgent", "discard", "volume 10"])
    }

    @Test func theOptionsThatAreShownAreReadAsTheyWere() throws {
        let setups = [0, 5].flatMap { leadIn in
            [true, false].flatMap { flag in
                EndAction.allCases.map {
                    TimerSetup(
                        seconds: 60, endAction: $0, leadInSeconds: leadIn, announcesLastMinute: flag,
                        isUrgent: !flag, volume: flag ? 0 : 100)
                }
            }
        }
        for setup in setups {
            var read = setup
            try TimerOptionWords.read(setup.presetWords.joined(separator: ", "), into: &read)
            #expect(read == setup)
        }
        var setup = setups[0]
        #expect(throws: FieldProblem.self) { try TimerOptionWords.read("loud", into: &setup) }
    }

    @Test func aSettingIsSwitchedOrTyped() throws {
        var model = TimersSample.ordinary.screens(at: 28)
        #expect(intents(&model, [.key(.end), .key(.enter)]).last == .timers(.set(.speech, "each")))
        #expect(intents(&model, [.key(.up), .key(.enter)]).last == .redraw)
        guard case .field(let prompt) = model.overlay else { return #expect(Bool(false)) }
        #expect(prompt.field.text == "80")
        #expect(intents(&model, [.key(.enter)]) == [.closeOverlay] || model.overlay == nil)
        _ = intents(&model, [.key(.enter), .character("\u{15}")])
        #expect(intents(&model, type("30") + [.key(.enter)]).last == .timers(.set(.soundVolume, "30")))
    }

    @Test func aNewTimerIsAsTheSettingsSay() {
        var model = TimersSample().screens(at: 0)
        model.timers.settings.mode = .vibration
        model.timers.settings.isUrgent = true
        model.timers.settings.volume = 40
        let intents = intents(&model, type("n5m") + Array(repeating: .key(.enter), count: 3))
        guard case .timers(.submit(let draft)) = intents.last else { return #expect(Bool(false)) }
        #expect(
            draft.setup
                == TimerSetup(
                    seconds: 300, mode: .vibration, locations: .some(["Hall"]), isUrgent: true, volume: 40))
    }

    @Test func aViewerChangesNoSetting() {
        var model = TimersSample.ordinary.screens(at: 28)
        model.timers.mayChange = false
        _ = intents(&model, [.key(.end), .key(.up)])
        #expect(intents(&model, [.key(.enter)]) == [.timers(.type(.soundVolume))])
        #expect(model.overlay == nil)
    }

    @Test func enterAndSpaceAcknowledgeOnEveryTabButNotInFields() throws {
        var model = TimersSample.ordinary.screens(at: 900)
        for tab in "12345" {
            _ = intents(&model, [.character(tab)])
            #expect(intents(&model, [.key(.enter)]) == [.timers(.acknowledge)])
            #expect(intents(&model, type(" ")) == [.timers(.acknowledge)])
        }
        _ = intents(&model, type("n"))
        #expect(!intents(&model, type(" ") + [.key(.enter)]).contains(.timers(.acknowledge)))
    }

    @Test func aClickOnTheLineOfTheAlarmAcknowledges() throws {
        var model = TimersSample.ordinary.screens(at: 900)
        let drawn = ScreensView(model, capabilities: .best).draw(size: Size(columns: 80, rows: 24))
        let row = try #require(drawn.grid.lines.firstIndex { $0.contains("⏰") })
        #expect(model.intent(for: .click(Point(column: 40, row: row)), on: drawn) == .timers(.acknowledge))
    }
}
