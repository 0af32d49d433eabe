import CounterModel
import Linux
import Testing

@testable import CounterTUI

@Suite("Keys and clicks of Admin") struct AdminViewModelTests {
    private func frame(_ model: ScreensViewModel) -> Frame {
        ScreensView(model, capabilities: .best).draw(size: Size(columns: 80, rows: 24))
    }

    /// A click on a text that is shown.
    private func click(_ text: String, _ model: inout ScreensViewModel) throws -> Intent? {
        let lines = frame(model).grid.lines
        let row = try #require(lines.firstIndex { $0.contains(text) })
        let start = try #require(lines[row].firstRange(of: text)).lowerBound
        let column = CharacterWidth.columns(String(lines[row][..<start]))
        return model.intent(for: .click(Point(column: column, row: row)), on: frame(model))
    }

    private func prompt(_ model: ScreensViewModel) throws -> FieldPrompt {
        guard case .field(let prompt) = model.overlay else {
            throw FieldProblem("no field is open")
        }
        return prompt
    }

    @Test func arrowsAndTheWheelGoFromRowToRow() {
        var model = AdminState.ordinary.model
        #expect(model.admin.cursor == .setting(.name))
        _ = model.intents([.key(.up), .key(.down), .key(.down)])
        #expect(model.admin.cursor == .setting(.timezone))
        _ = model.intents([.scroll(7)])
        #expect(model.admin.cursor == .device("usb:1"))
        _ = model.intents([.key(.end), .key(.pageDown)])
        #expect(model.admin.cursor == .day(Position(1000)))
        _ = model.intents([.key(.home)])
        #expect(model.admin.cursor == .setting(.name))
    }

    @Test func aDeviceIsForgottenAfterAQuestion() {
        var model = AdminState.ordinary.model
        #expect(model.type("f") == [nil])
        _ = model.intents([.scroll(9)])
        #expect(model.type("f") == [.admin(.askToForget("usb:1"))])
        let device = model.admin.devices[0]
        model.ask(.forget(device))
        #expect(model.type("y") == [.admin(.change(.forget(device: "usb:1")))])
    }

    @Test func arrowsGoToTheNextLocation() {
        var model = AdminState.ordinary.model
        _ = model.intents([.key(.left), .key(.right), .key(.right), .key(.right)])
        #expect(model.locations.selected == "Café")
    }

    @Test func enterOpensAFieldWithWhatIsThereAndEnterAsksForTheChange() throws {
        var model = AdminState.ordinary.model
        _ = model.intents([.key(.down), .key(.enter)])
        #expect(try prompt(model).field.text == "120")
        _ = model.type("\u{7F}5")
        let intents = model.intents([.key(.enter)])
        #expect(intents == [.admin(.change(.setting(.capacity(125), of: "default")))])
        // The prompt stays open until the change is committed.
        #expect(try prompt(model).field.text == "125")
        model.closeField()
        #expect(model.overlay == nil)
    }

    @Test func enterOnWhatIsThereChangesNothing() throws {
        var model = AdminState.ordinary.model
        let name = "  می\u{200C}خواهم\u{7} "
        model.admin.location = Location(id: "default", name: name, timezone: "UTC")
        model.admin.names = ["Hall": name]
        model.admin.devices = [
            Device(id: "usb:1", name: name, locationId: "Hall", lastSeenAt: nil, isActive: true)
        ]
        for row in model.admin.rows.prefix(4) + [.device("usb:1")] {
            model.admin.choose(row)
            #expect(model.intents([.key(.enter), .key(.enter)]) == [.redraw, .redraw], "\(row)")
            #expect(model.overlay == nil, "\(row)")
        }
        #expect(model.type("l") + model.intents([.key(.enter)]) == [.redraw, .redraw])
        #expect(model.overlay == nil)
        // The field begins with the stored value.
        model.admin.choose(.setting(.name))
        _ = model.intents([.key(.enter)])
        #expect(Array(try prompt(model).field.text.unicodeScalars) == Array(name.unicodeScalars))
    }

    @Test func nothingIsChangedAtALocationThatIsGone() throws {
        var model = AdminState.ordinary.model
        _ = model.type("c+3 late")
        #expect(try prompt(model).title == "Correct: North door")
        // Another program hides the location, so another one is selected.
        model.locations.offer([.init(id: "Hall", name: "Hall")], preferred: "Hall")
        model.admin.location = Location(id: "Hall", name: "Hall", timezone: "UTC")
        #expect(frame(model).grid.lines.contains { $0.contains("no longer shown") })
        #expect(model.type("r") + model.intents([.key(.enter)]) == [.redraw, .redraw])
        #expect(frame(model).grid.lines.contains { $0.contains("no longer shown") })
        #expect(model.intents([.key(.escape)]) == [.redraw])
        #expect(model.overlay == nil)
    }

    @Test func badInputLeavesTheFieldOpenWithTheReason() throws {
        var model = AdminState.ordinary.model
        _ = model.intents([.key(.down), .key(.enter), .character("x"), .key(.enter)])
        #expect(try prompt(model).field.problem == "a capacity is a number from 1 up, or none")
        _ = model.type("\u{7F}")
        #expect(try prompt(model).field.problem == nil)
        let isOpen = model.refuseField("the disk is full")
        #expect(isOpen)
        #expect(try prompt(model).field.problem == "the disk is full")
        _ = model.intents([.key(.escape)])
        #expect(model.overlay == nil)
    }

    @Test func nothingThatIsTypedIntoAFieldIsACommand() throws {
        var model = AdminState.ordinary.model
        _ = model.type("a")
        let intents = model.type("q?1+-euy")
        #expect(intents == Array(repeating: .redraw, count: 8))
        #expect(try prompt(model).field.text == "q?1+-euy")
        let control = model.type("\u{3}\u{1A}\u{C}") + model.intents([.key(.tab)])
        #expect(control == [.quit, .suspend, .repaint, nil])
    }

    @Test func whatIsPastedGoesIntoAFieldAndNowhereElse() throws {
        var model = AdminState.ordinary.model
        #expect(model.intents([.pasted("eua\rq")]) == [nil])
        _ = model.type("a")
        #expect(model.intents([.pasted("eua\rq")]) == [.redraw])
        #expect(try prompt(model).field.text == "eua q")
        let rest = model.intents([.pasted(String(repeating: "x", count: TextField.capacity))])
        #expect(rest.last == .ring)
        #expect(try prompt(model).field.problem == TextField.isFull)
    }

    @Test func noSingleKeyEndsTheDay() {
        let keys = (0x20..<0x7F).map { TerminalEvent.character(Character(Unicode.Scalar(UInt8($0)))) }
        let others: [TerminalEvent.Key] = [
            .up, .down, .left, .right, .pageUp, .pageDown, .home, .end, .delete, .enter, .escape,
        ]
        for event in keys + others.map(TerminalEvent.key) {
            for row in AdminState.ordinary.model.admin.rows {
                var model = AdminState.ordinary.model
                model.admin.choose(row)
                #expect(model.intents([event]) != [.admin(.change(.endDay(of: "default")))], "\(event)")
            }
        }
    }

    @Test func theEndOfTheDayIsAskedFor() {
        var model = AdminState.ordinary.model
        #expect(model.type("e") == [.admin(.askToEndDay(of: "default"))])
        for no in [TerminalEvent.character("n"), .key(.escape), .key(.enter)] {
            model.ask(AdminGoldenTests.question)
            #expect(model.intents([no]) == [.redraw])
            #expect(model.overlay == nil)
        }
        model.ask(AdminGoldenTests.question)
        #expect(model.type("eu1qx") == [nil, nil, nil, nil, nil])
        #expect(model.type("y") == [.admin(.change(.endDay(of: "default")))])
        #expect(model.type("y") == [nil])
    }

    /// Admin with an open question is drawn as the number alone there, so the keys are Count's.
    @Test func whereOnlyTheNumberIsDrawnKeysCountAndNothingElse() {
        var model = AdminState.ordinary.model
        model.ask(AdminGoldenTests.question)
        let small = ScreensView(model, capabilities: .best).draw(size: Size(columns: 19, rows: 6))
        for event in [
            TerminalEvent.character("y"), .character("n"), .key(.escape), .character("a"), .character("?"),
        ] {
            #expect(model.intent(for: event, on: small) == nil, "\(event)")
        }
        for digit in "12345" { #expect(model.intent(for: .character(digit), on: small) == nil) }
        #expect(model.intent(for: .character("+"), on: small) == .countUp)
        #expect(model.intent(for: .character("u"), on: small) == .undo)
        #expect(model.intent(for: .character("q"), on: small) == .quit)
        #expect(model.intent(for: .character("\u{C}"), on: small) == .repaint)
        #expect(model.overlay == .question(AdminGoldenTests.question) && model.tab == .admin)
    }

    @Test func aQuestionIsAskedAnewOnItsPageAndLeftWithANotice() {
        var model = AdminState.ordinary.model
        model.askAnew(AdminGoldenTests.question)
        #expect(model.overlay == nil)
        model.ask(AdminGoldenTests.question)
        _ = model.type(" ")
        model.askAnew(AdminGoldenTests.question(of: "Porch"))
        #expect(model.overlay == .question(AdminGoldenTests.question(of: "Porch")))
        #expect(model.page == 1)
        model.leaveQuestion("gone")
        #expect(model.overlay == nil)
        #expect(model.count.notice == "gone")
    }

    @Test func aQuestionIsAnsweredByAClick() throws {
        var model = AdminState.ordinary.model
        model.ask(AdminGoldenTests.question)
        #expect(try click("[N No]", &model) == .redraw)
        #expect(model.overlay == nil)
        model.ask(AdminGoldenTests.question)
        #expect(try click("North door: 2026", &model) == .redraw)
        #expect(model.overlay == nil)
        model.ask(AdminGoldenTests.question)
        #expect(try click("[Y Yes]", &model) == .admin(.change(.endDay(of: "default"))))
        #expect(model.overlay == nil)
    }

    @Test(arguments: [(-0.04, "0.0"), (-0.05, "-0.1"), (0.04, "0.0"), (12.34, "12.3")])
    func theAverageOfADayHasOneDigitAndNoSignWithoutIt(average: Double, text: String) {
        let snapshot = DaySnapshot(
            from: Timestamp(seconds: 0), to: Timestamp(seconds: 60), finalLevel: 0, totalIn: 0, totalOut: 0,
            peakHour: nil, highestLevel: 0, averageOccupancy: average)
        #expect(SnapshotTexts(snapshot, zone: .utc).facts.hasSuffix(", average \(text)"))
    }

    @Test func keysOfADevice() throws {
        var model = AdminState.ordinary.model
        #expect(model.type("xl") == [nil, nil])
        model.admin.choose(.device("usb:1"))
        #expect(model.type("x") == [.admin(.change(.setActive(false, device: "usb:1")))])
        _ = model.type("l")
        #expect(try prompt(model).field.text == "Hall")
        _ = model.intents([.key(.escape), .key(.enter)])
        #expect(try prompt(model).field.text == "AB Shutter3")
    }

    @Test func whatIsShownCanBeClicked() throws {
        var model = AdminState.ordinary.model
        #expect(
            try click("above capacity: no", &model)
                == .admin(.change(.setting(.admitsOverFull(true), of: "default"))))
        #expect(try click("counts", &model) == .admin(.change(.setActive(false, device: "usb:1"))))
        #expect(try click("any", &model) == .redraw)
        #expect(try prompt(model).purpose == .edit(.deviceLocation("usb:2")))
        _ = model.intents([.key(.escape)])
        #expect(try click("Capacity", &model) == .redraw)
        #expect(try prompt(model).purpose == .edit(.setting(.capacity, of: "default")))
        #expect(model.admin.cursor == .setting(.capacity))
        _ = model.intents([.key(.escape)])
        #expect(try click(">", &model) == .redraw)
        #expect(model.locations.selected == "Hall")
    }

    @Test func whatIsGoneIsNoLongerChosen() {
        var model = AdminState.ordinary.model
        model.admin.choose(.device("door-1"))
        model.admin.devices.removeLast()
        #expect(model.admin.cursor == .setting(.name))
        _ = model.intents([.key(.down)])
        #expect(model.admin.cursor == .setting(.capacity))
    }

    @Test func aViewerOpensNoFieldAndSeesNoKeyThatWorks() {
        var model = AdminState.viewer.model
        for row in model.admin.rows {
            for key in "ahceulx" {
                model.admin.choose(row)
                _ = model.type(String(key)) + model.intents([.key(.enter)])
                #expect(model.overlay == nil, "\(key) at \(row)")
            }
        }
        #expect(model.type("c") == [.admin(.edit(.correction(at: "default")))])
        let keys = frame(model).grid.lines.last ?? ""
        #expect(keys.contains("(E End Day)"))
        #expect(keys.filter { $0 == "[" }.count == 2)
        for (row, _) in frame(model).grid.lines.enumerated() {
            for column in 0..<80 {
                let point = Point(column: column, row: row)
                _ = model.intent(for: .click(point), on: frame(model))
                #expect(model.overlay == nil || model.overlay == .help)
                model.overlay = nil
            }
        }
    }
}
