/// What is spoken in a level, in English. All spoken texts of levels are in this file, so that another language is another
/// file.
///
/// Each activity can be played by somebody who only hears this: the task, then the answer to each key.
package enum English {
    /// What there is to do and to see, spoken when a level begins, and at each further question.
    package static func task(_ view: LevelView) -> String {
        switch view {
        case .dice(let view): dice(view)
        case .choice(let view): choice(view)
        case .puzzle(let view): puzzle(view)
        case .labyrinth(let view): "Find the goal. Up walks, down turns, both gives a hint. " + place(view)
        }
    }

    /// What an input did; `view` is what the player sees after it.
    package static func answer(_ answer: LevelAnswer, _ view: LevelView) -> String {
        switch answer {
        case .pressed(let count): number(count)
        case .number(let value): number(value)
        case .noFurther(let value): "\(number(value)). There is no further number."
        case .nextQuestion: "Right. " + task(view)
        case .cell, .walked: here(view)
        case .color(let color): name(color)
        case .turned(let direction): "Looking \(name(direction))."
        case .hint(let key): "Hint: press \(name(key))."
        case .mistake(let mistake): text(mistake, view)
        case .solved: "Solved. Well done!"
        case .quit: "Back home."
        case .ended: ""
        }
    }

    /// What the screen says of an answer: mistakes and hints, without what can be seen.
    package static func shown(_ answer: LevelAnswer, _ view: LevelView) -> String {
        switch answer {
        case .mistake(.choice(let value, _, false)): "It is not \(number(value))."
        case .mistake(.deadEnd): "A dead end."
        case .hint, .mistake:
            self.answer(answer, view).prefix(1).uppercased() + self.answer(answer, view).dropFirst()
        case .pressed, .number, .noFurther, .nextQuestion, .cell, .color, .walked, .turned, .solved, .quit,
            .ended:
            ""
        }
    }

    /// A number as a word up to twenty; as digits otherwise.
    package static func number(_ value: Int) -> String {
        words.indices.contains(value) ? words[value] : String(value)
    }

    /// The name of an activity.
    package static func name(_ activity: ActivityType) -> String {
        switch activity {
        case .raetselPuzzle: "Pattern"
        case .raetselLabyrinth: "Labyrinth"
        case .zahlenWuerfel: "Dice"
        case .zahlenWaehle: "Count"
        }
    }

    /// A colour with its shape, such as "red circle".
    package static func name(_ color: PuzzleView.Color) -> String { "\(color) \(color.shape.rawValue)" }

    /// A direction, such as "north".
    package static func name(_ direction: LabyrinthView.Direction) -> String { "\(direction)" }

    /// What a key is called.
    static func name(_ key: LevelInput) -> String {
        switch key {
        case .up: "up"
        case .down: "down"
        case .both: "both keys"
        case .bothHeld: "and hold both keys"
        }
    }
}

// MARK: Tasks

extension English {
    private static func dice(_ view: DiceView) -> String {
        let pips = view.dice.map(number).joined(separator: " and ")
        let total = view.dice.count > 1 ? " Together \(number(view.pips))." : ""
        let shown = view.dice.count > 1 ? "The dice show" : "The die shows"
        return "\(shown) \(pips).\(total) Press up so often, then both keys. Down takes one back."
    }

    /// Each thing is named once, to be counted by ear.
    private static func choice(_ view: ChoiceView) -> String {
        let things = Array(repeating: view.thing.rawValue, count: view.count).joined(separator: ", ")
        let numbers = view.numbers.map(number).joined(separator: ", ")
        return "Count: \(things). Which number is it: \(numbers)? You are at "
            + "\(number(view.numbers[view.cursor])). Up goes on, down goes back, both keys choose."
    }

    private static func puzzle(_ view: PuzzleView) -> String {
        let colors = PuzzleView.Color.allCases.prefix(view.colorCount).map(name)
        return "Copy the pattern: \(number(view.size)) rows of \(number(view.size)). Up goes on, down "
            + "changes the colour, in this order: \(colors.joined(separator: ", ")). Both keys when it is done. "
            + cell(view)
    }
}

// MARK: Places

extension English {
    private static func here(_ view: LevelView) -> String {
        switch view {
        case .puzzle(let view): cell(view)
        case .labyrinth(let view): place(view)
        case .dice, .choice: ""
        }
    }

    private static func cell(_ view: PuzzleView) -> String {
        let cell = view.cursor
        return "\(position(cell, of: view.size)): it is \(name(view.copy[cell])), it should be "
            + "\(name(view.pattern[cell]))."
    }

    private static func place(_ view: LabyrinthView) -> String {
        let open = LabyrinthView.Direction.allCases.filter(view.openings[view.figure].contains)
        return "You are at \(position(view.figure, of: view.width)), looking \(name(view.facing)). "
            + "Open: \(open.map(name).joined(separator: ", ")). "
            + "The goal is at \(position(view.goal, of: view.width))."
    }

    private static func position(_ cell: Int, of width: Int) -> String {
        "row \(number(cell / width + 1)), place \(number(cell % width + 1))"
    }
}

// MARK: Mistakes

extension English {
    private static func text(_ mistake: LevelAnswer.Mistake, _ view: LevelView) -> String {
        switch mistake {
        case .count(let pressed, let pips, let hint):
            let missing = pips - pressed
            let key = missing > 0 ? "up" : "down"
            let help = hint ? " Press \(key) \(times(abs(missing)))." : ""
            return "\(number(pressed)) is too \(missing > 0 ? "few" : "many").\(help)"
        case .choice(let value, let count, let hint):
            return "It is not \(number(value))." + (hint ? " It is \(number(count))." : " " + task(view))
        case .pattern(let differences, let first, let hint):
            let cells = differences == 1 ? "One cell is" : "\(number(differences)) cells are"
            guard hint, case .puzzle(let view) = view else { return "\(cells) different." }
            return "\(cells) different. The first is \(position(first, of: view.size)): it should be "
                + "\(name(view.pattern[first]))."
        case .deadEnd: return "A dead end. " + here(view)
        }
    }

    private static func times(_ count: Int) -> String { count == 1 ? "once" : "\(number(count)) times" }

    private static let words = [
        "none", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven",
        "twelve", "thirteen", "fourteen", "fifteen", "sixteen", "seventeen", "eighteen", "nineteen", "twenty",
    ]
}
