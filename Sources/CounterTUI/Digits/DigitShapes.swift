/// The shapes of the digits: one stroke weight, rounded boxes, two equal storeys. All digits have the same width, so a
/// number does not move sideways while it counts.
///
/// ```
///  ╭─╮   ╷   ╶─╮   ╶─╮   ╷ ╷   ┌──   ╭──   ╶─┐   ╭─╮   ╭─╮
///  │ │   │   ╭─╯    ─┤   ╰─┤   └─╮   ├─╮    ╱    ├─┤   ╰─┤
///  ╰─╯   ┴   └──   ╶─╯     ╵   ╶─╯   ╰─╯   ╵     ╰─╯   ──╯
/// ```
struct DigitShapes {
    let pen: Pen
    private let width: Double
    private let height: Double
    // Centre lines of the outermost strokes, and of the bar between the storeys.
    private let left: Double
    private let right: Double
    private let top: Double
    private let middle: Double
    private let bottom: Double

    init(width: Int, height: Int, pen: Pen) {
        self.pen = pen
        self.width = Double(width)
        self.height = Double(height)
        left = Double(pen.stem) / 2
        right = self.width - left
        top = Double(pen.bar) / 2
        bottom = self.height - top
        // On a whole pixel, so that the bar has sharp edges; an odd pixel goes to the lower storey.
        middle = Double((height - pen.bar) / 2) + top
    }

    static func isDigit(_ sign: UInt8) -> Bool { 0x30...0x39 ~= sign }

    /// The pieces of a digit, a minus sign or a colon in ASCII; `width` is in pixels.
    func pieces(of sign: UInt8, width: Int) -> [Piece] {
        switch Unicode.Scalar(sign) {
        case "0": ring(from: top, to: bottom)
        case "1": one
        case "2":
            pen.stroke([
                .sharp(0, top), .round(right, top), .round(right, middle), .round(left, middle),
                .sharp(left, bottom), .sharp(self.width, bottom),
            ])
        case "3":
            pen.stroke([.sharp(0, top), .round(right, top), .round(right, middle), bar])
                + pen.stroke([bar, .round(right, middle), .round(right, bottom), .sharp(0, bottom)])
        case "4":
            pen.stroke([.sharp(left, 0), .round(left, middle), .sharp(right, middle)])
                + pen.stroke([.sharp(right, 0), .sharp(right, height)])
        case "5":
            pen.stroke([
                .sharp(self.width, top), .sharp(left, top), .sharp(left, middle), .round(right, middle),
                .round(right, bottom), .sharp(0, bottom),
            ])
        case "6":
            pen.stroke([.sharp(self.width, top), .round(left, top), .sharp(left, middle)])
                + pen.stroke(
                    [
                        .sharp(left, middle), .round(right, middle), .round(right, bottom),
                        .round(left, bottom),
                    ], closed: true)
        case "7": seven
        case "8": ring(from: top, to: middle) + ring(from: middle, to: bottom)
        case "9":
            pen.stroke(
                [.round(left, top), .round(right, top), .sharp(right, middle), .round(left, middle)],
                closed: true)
                + pen.stroke([.sharp(right, middle), .round(right, bottom), .sharp(0, bottom)])
        case ":": colon(width: width)
        default: [Piece(x: 0...Double(width), y: (middle - top)...(middle + top))]
        }
    }

    private func ring(from top: Double, to bottom: Double) -> [Piece] {
        pen.stroke(
            [.round(left, top), .round(right, top), .round(right, bottom), .round(left, bottom)], closed: true
        )
    }

    /// Where the bar of a 3 begins.
    private var bar: Corner { .sharp(width * 0.25, middle) }

    /// The dots between the minutes and the seconds of a clock.
    private func colon(width: Int) -> [Piece] {
        let stem = Double(pen.stem)
        let x = (Double(width) - stem) / 2
        return [height * 0.3, height * 0.7].map { y in
            Piece(x: x...(x + stem), y: (y - top)...(y + top))
        }
    }

    private var one: [Piece] {
        let stem = ((width - Double(pen.stem)) / 2).rounded(.up)
        let foot = max(1, (width * 0.5 - Double(pen.stem) / 2) * 0.8).rounded()
        return [
            Piece(x: stem...(stem + Double(pen.stem)), y: 0...height),
            Piece(x: max(0, stem - foot)...stem, y: 0...Double(pen.bar)),
            Piece(
                x: max(0, stem - foot)...min(width, stem + Double(pen.stem) + foot),
                y: (height - Double(pen.bar))...height),
        ]
    }

    private var seven: [Piece] {
        let slope = (right - width * 0.42) / height
        let heavy = Double(pen.stem) * (1 + slope * slope).squareRoot()
        return pen.stroke([.sharp(0, top), .sharp(right, top)]) + [
            Piece(x: (width - Double(pen.stem))...width, y: 0...Double(pen.bar)),
            .slant(
                y: Double(pen.bar)...height, from: width - heavy, to: (width * 0.25).rounded(), width: heavy),
        ]
    }
}
