import CounterModel
import Testing

@testable import CounterTUI

@Suite("Keys and clicks of Admin") struct AdminViewModelTests {
    private let screens = AdminState.ordinary.screens

    private var lines: [String] { screens.lines() }

    private var field: TextField? { screens.context.field?.field }

    private func ask() {
        screens.context.ask(.sample { [screens] in screens.context.program?.reset() })
    }

    @Test func arrowsAndTheWheelGoFromRowToRow() {
        #expect(screens.admin.cursor == .setting(.name))
        screens.press([.key(.up), .key(.down), .key(.down)])
        #expect(screens.admin.cursor == .setting(.timezone))
        _ = screens.press(.scroll(9))
        #expect(screens.admin.cursor == .device("usb:1"))
        screens.press([.key(.end), .key(.pageDown)])
        #expect(screens.admin.cursor == .day(Position(1000)))
        _ = screens.press(.key(.home))
        #expect(screens.admin.cursor == .setting(.name))
    }

    @Test func enterSharesTheLocationAndTheOtherMachinesAreListed() {
        screens.admin.choose(.sharing)
        #expect(screens.press(.key(.enter)) == "share default?")
        screens.admin.isShared = true
        #expect(screens.press(.key(.enter)) == "share default no longer?")
        #expect(!lines.contains { $0.contains("Other machines") })
        screens.admin.machines = [
            AdminMachine(
                peer: "ada@office", words: "42 rows not sent, office unreachable for 2 h",
                notes: ["no route to host"], offers: [AdminOffer(id: "1f", name: "Entrance")])
        ]
        let start = lines.firstIndex { $0.contains("Other machines") } ?? 0
        #expect(lines[start + 1].hasPrefix("   ada@office  42 rows not sent, office unreachable for 2 h"))
        #expect(lines[start + 2].hasPrefix("     no route to host"))
        #expect(lines[start + 3].hasPrefix("     Entrance  shared there, not here"))
        screens.admin.choose(.machine("ada@office"))
        screens.press([.key(.down)])
        #expect(lines.last?.contains("Enter Join") == true)
        #expect(screens.press(.key(.enter)) == "join Entrance of ada@office?")
    }

    @Test func arrowsGoToTheNextLocation() {
        screens.press([.key(.left), .key(.right), .key(.right), .key(.right)])
        #expect(screens.context.locations.selected == "Café")
    }

    @Test func enterOpensAFieldWithWhatIsThereAndEnterAsksForTheChange() {
        screens.press([.key(.down), .key(.enter)])
        #expect(field?.text == "120")
        screens.type("\u{7F}5")
        #expect(screens.press(.key(.enter)) == "set \(LocationSetting.capacity(125)) of default")
        // The prompt stays open until the change is committed.
        #expect(field?.text == "125")
        screens.context.closeField()
        #expect(screens.context.overlay == nil)
    }

    @Test func enterOnWhatIsThereChangesNothing() {
        let name = "  می\u{200C}خواهم\u{7} "
        screens.context.locations.offer([.init(id: "default", name: name)], preferred: "default")
        screens.admin.names = ["Hall": name]
        screens.admin.devices = [
            Device(id: "usb:1", name: name, locationId: "Hall", lastSeenAt: nil, isActive: true)
        ]
        for row in screens.admin.rows.prefix(4) + [.device("usb:1")] {
            screens.admin.choose(row)
            #expect(screens.press([.key(.enter), .key(.enter)]) == ["", ""], "\(row)")
            #expect(screens.context.overlay == nil, "\(row)")
        }
        #expect(screens.press([.character("l"), .key(.enter)]) == ["", ""])
        #expect(screens.context.overlay == nil)
        // The field begins with the stored value.
        screens.admin.choose(.setting(.name))
        _ = screens.press(.key(.enter))
        #expect(field.map { Array($0.text.unicodeScalars) } == Array(name.unicodeScalars))
    }

    @Test func nothingIsChangedAtALocationThatIsGone() {
        screens.type("c+3 late")
        #expect(screens.context.field?.title == "Correct: North door")
        // Another program hides the location, so another one is selected.
        screens.context.locations.offer([.init(id: "Hall", name: "Hall")], preferred: "Hall")
        #expect(lines.contains { $0.contains("no longer shown") })
        #expect(screens.press([.character("r"), .key(.enter)]) == ["", "ring"])
        #expect(lines.contains { $0.contains("no longer shown") })
        #expect(screens.press(.key(.escape)) == "")
        #expect(screens.context.overlay == nil)
    }

    @Test func badInputLeavesTheFieldOpenWithTheReason() {
        screens.press([.key(.down), .key(.enter), .character("x"), .key(.enter)])
        #expect(field?.problem == "a capacity is a number from 1 up, or none")
        screens.type("\u{7F}")
        #expect(field != nil && field?.problem == nil)
        #expect(screens.context.refuseField("the disk is full"))
        #expect(field?.problem == "the disk is full")
        _ = screens.press(.key(.escape))
        #expect(screens.context.overlay == nil)
    }

    @Test func nothingThatIsTypedIntoAFieldIsACommand() {
        screens.type("a")
        #expect(screens.type("q?1+-euy") == Array(repeating: "", count: 8))
        #expect(field?.text == "q?1+-euy")
        #expect(screens.type("\u{3}\u{1A}\u{C}") == ["quit", "suspend", "repaint"])
        #expect(screens.press(.key(.tab)) == nil)
    }

    @Test func whatIsPastedGoesIntoAFieldAndNowhereElse() {
        #expect(screens.press(.pasted("eua\rq")) == nil)
        screens.type("a")
        #expect(screens.press(.pasted("eua\rq")) == "")
        #expect(field?.text == "eua q")
        #expect(screens.press(.pasted(String(repeating: "x", count: TextField.capacity))) == "ring")
        #expect(field?.problem == TextField.isFull)
    }

    @Test func noSingleKeyChangesAnythingButTheUndo() {
        let keys = (0x20..<0x7F).map { TerminalEvent.character(Character(Unicode.Scalar(UInt8($0)))) }
        let others: [TerminalEvent.Key] = [
            .up, .down, .left, .right, .pageUp, .pageDown, .home, .end, .delete, .enter, .escape,
        ]
        for event in keys + others.map(TerminalEvent.key) {
            for row in screens.admin.rows {
                let screens = AdminState.ordinary.screens
                screens.admin.choose(row)
                let effect = screens.press(event) ?? ""
                let isHarmless =
                    effect.isEmpty || effect.hasSuffix("?") || effect.hasPrefix("usb:")
                    || effect.hasPrefix("door-1") || effect.hasPrefix("set admitsOverFull")
                    || effect.hasPrefix("set endsDaysAutomatically")
                #expect(
                    isHarmless || ["undo at default", "redo at default", "quit"].contains(effect), "\(event)")
            }
        }
    }

    @Test func whatCannotBeUndoneAsksFirst() {
        #expect(screens.type("feh") == [nil, "end the day of default?", "hide default?"])
        screens.admin.choose(.device("usb:1"))
        #expect(screens.type("f") == ["forget usb:1?"])
    }

    @Test func aQuestionIsAnsweredByKeys() {
        for no in [TerminalEvent.character("n"), .key(.escape), .key(.enter)] {
            ask()
            #expect(screens.press(no) == "")
            #expect(screens.context.overlay == nil)
        }
        ask()
        #expect(screens.type("eu1qx") == [nil, nil, nil, nil, nil])
        #expect(screens.type("yy") == ["reset", nil])
    }

    @Test func aQuestionIsAnsweredByAClick() throws {
        for text in ["[N No]", "North door: 2026"] {
            ask()
            #expect(try screens.click(text) == "")
            #expect(screens.context.overlay == nil)
        }
        ask()
        #expect(try screens.click("[Y Yes]") == "reset")
        #expect(screens.context.overlay == nil)
    }

    @Test func aQuestionIsAskedAnewOnItsPageAndLeftWithItsReason() throws {
        var question = Question.sample()
        question.renew = { .sample(of: "Porch") }
        screens.context.ask(question)
        screens.type(" ")
        try screens.context.renewQuestion()
        #expect(screens.context.question?.subject == "Porch")
        #expect(screens.context.page == 1)
        question.renew = { throw FieldProblem("gone") }
        screens.context.ask(question)
        #expect(throws: FieldProblem("gone")) { try screens.context.renewQuestion() }
        #expect(screens.context.overlay == nil)
    }

    /// Admin with an open question is drawn as the number alone there, so the keys are Count's.
    @Test func whereOnlyTheNumberIsDrawnKeysCountAndNothingElse() {
        ask()
        let small = Size(columns: 19, rows: 6)
        let keys = "yna?12345".map { TerminalEvent.character($0) } + [.key(.escape), .key(.tab)]
        for event in keys { #expect(screens.press(event, small) == nil, "\(event)") }
        #expect(
            "+uq\u{C}".map { screens.press(.character($0), small) } == [
                "count in", "undo", "quit", "repaint",
            ])
        #expect(screens.context.question != nil && screens.tab == .admin)
        // The question refers to this test.
        screens.context.close()
    }

    @Test func keysOfADevice() {
        #expect(screens.type("xl") == [nil, nil])
        screens.admin.choose(.device("usb:1"))
        #expect(screens.type("x") == ["usb:1 off"])
        screens.type("l")
        #expect(field?.text == "Hall")
        screens.press([.key(.escape), .key(.enter)])
        #expect(field?.text == "AB Shutter3")
    }

    @Test func whatIsShownCanBeClicked() throws {
        #expect(
            try screens.click("counting by hand: not allowed")
                == "set \(LocationSetting.admitsOverFull(true)) of default")
        #expect(try screens.click("counts") == "usb:1 off")
        #expect(try screens.click("any") == "")
        #expect(screens.context.field?.title == "Location: Pedal")
        _ = screens.press(.key(.escape))
        #expect(try screens.click("Capacity") == "")
        #expect(screens.context.field?.title == "Capacity: North door")
        #expect(screens.admin.cursor == .setting(.capacity))
        _ = screens.press(.key(.escape))
        #expect(try screens.click(">") == "")
        #expect(screens.context.locations.selected == "Hall")
    }

    @Test func whatIsGoneIsNoLongerChosen() {
        screens.admin.choose(.device("door-1"))
        screens.admin.devices.removeLast()
        #expect(screens.admin.cursor == .setting(.name))
        _ = screens.press(.key(.down))
        #expect(screens.admin.cursor == .setting(.capacity))
    }

    @Test func aViewerOpensNoFieldAndSeesNoKeyThatWorks() {
        let screens = AdminState.viewer.screens
        for row in screens.admin.rows {
            for key in "ahceulx" {
                screens.admin.choose(row)
                screens.press([.character(key), .key(.enter)])
                #expect(screens.context.overlay == nil, "\(key) at \(row)")
            }
        }
        #expect(screens.type("c") == ["refuse"])
        let frame = screens.frame()
        let keys = frame.grid.lines.last ?? ""
        #expect(keys.contains("(E End Day)"))
        #expect(keys.filter { $0 == "[" }.count == 2)
        for row in 0..<24 {
            for column in 0..<80 {
                frame.action(at: Point(column: column, row: row))?()
                #expect(screens.context.overlay == nil || screens.context.text == .help)
                screens.context.close()
            }
        }
    }
}

@Suite("Head of Admin") struct AdminHeadTests {
    private func head(_ name: String, _ level: Int, user: String = "ada", columns: Int = 80) -> String {
        let screens = AdminState.ordinary.screens
        screens.context.locations.offer(
            [.init(id: "default", name: name), .init(id: "Hall", name: "Hall")], preferred: "default")
        screens.admin.user = (user, .viewer)
        screens.admin.state = CounterState(level, of: 5)
        return screens.lines(columns, 12)[1]
    }

    @Test func `A long name leaves the count and who looks where they are`() {
        let head = head(String(repeating: "long name ", count: 12) + "18", 3)
        #expect(head.contains("…"))
        #expect(head.contains(" name 18  3 of 5"))
        #expect(head.hasSuffix("ada, viewer"))
        #expect(head.hasPrefix(" < 1/2 > long name "))
    }

    @Test func `A long user's name leaves the count, and the role as long as it can`() {
        let user = String(repeating: "x", count: 90)
        #expect(head("North door", 3, user: user).hasPrefix(" < 1/2 > North door  3 of 5"))
        #expect(head("North door", 3, user: user).hasSuffix(" viewer"))
        #expect(head("North door", 3, columns: 40).hasPrefix(" < 1/2 > North door  3 of 5"))
        #expect(head("North door", 3, columns: 24).contains("3 of 5"))
    }

    @Test func `Drift is told where it is corrected`() {
        #expect(head("North door", -2).contains("North door  0 of 5  2 more out than in"))
        #expect(!head("North door", 0).contains("drift"))
    }
}
