/// The pen of a glyph, in pixels. Bars are horizontal and stems vertical; both look equally heavy on the screen.
struct Pen: Hashable, Sendable {
    var stem: Int
    var bar: Int
    /// Outer radius of a rounded corner, horizontally and vertically.
    var radiusX: Double, radiusY: Double
}

/// A corner of a stroke: the point where the centre lines meet, and whether it is rounded.
struct Corner {
    let x: Double
    let y: Double
    let rounded: Bool

    static func round(_ x: Double, _ y: Double) -> Corner { Corner(x: x, y: y, rounded: true) }
    static func sharp(_ x: Double, _ y: Double) -> Corner { Corner(x: x, y: y, rounded: false) }
}

/// One part of a glyph: the points of a rectangle that it covers.
struct Piece {
    let x: ClosedRange<Double>
    let y: ClosedRange<Double>
    /// Whether it covers a point of the rectangle.
    var hasInk: (Double, Double) -> Bool = { _, _ in true }

    func covers(_ px: Double, _ py: Double) -> Bool { x.contains(px) && y.contains(py) && hasInk(px, py) }

    /// A slanted stem; `from` and `to` are the left edge at the top and the bottom.
    static func slant(y: ClosedRange<Double>, from: Double, to: Double, width: Double) -> Piece {
        Piece(x: min(from, to)...(max(from, to) + width), y: y) { px, py in
            let left = from + (to - from) * (py - y.lowerBound) / (y.upperBound - y.lowerBound)
            return px >= left && px <= left + width
        }
    }

    /// A quarter of an elliptic ring: the bend of a stroke. `sx` and `sy` (-1 or 1) select the quarter.
    static func bend(
        x: Double, y: Double, outerX: Double, outerY: Double, innerX: Double, innerY: Double, sx: Double,
        sy: Double
    ) -> Piece {
        let (endX, endY) = (x + sx * outerX, y + sy * outerY)
        return Piece(x: min(x, endX)...max(x, endX), y: min(y, endY)...max(y, endY)) { px, py in
            isInside(px - x, py - y, outerX, outerY) && !isInside(px - x, py - y, innerX, innerY)
        }
    }

    private static func isInside(_ dx: Double, _ dy: Double, _ rx: Double, _ ry: Double) -> Bool {
        guard rx > 0, ry > 0 else { return false }
        return (dx / rx) * (dx / rx) + (dy / ry) * (dy / ry) <= 1
    }
}

extension Pen {
    /// The pieces of a stroke along `corners`: points on the centre line, joined by horizontal or vertical lines.
    func stroke(_ corners: [Corner], closed: Bool = false) -> [Piece] {
        let count = corners.count
        var pieces: [Piece] = []
        for (index, corner) in corners.enumerated() where closed || index + 1 < count {
            pieces.append(line(from: corner, to: corners[(index + 1) % count]))
        }
        for (index, corner) in corners.enumerated() where closed || (index > 0 && index + 1 < count) {
            let before = corners[(index + count - 1) % count]
            pieces.append(join(before, corner, corners[(index + 1) % count]))
        }
        return pieces
    }

    // Lines end before their rounded corners; the bend fills the gap.
    private func line(from start: Corner, to end: Corner) -> Piece {
        if start.y == end.y {
            let (left, right) = start.x < end.x ? (start, end) : (end, start)
            let low = left.x + (left.rounded ? centreX : 0)
            let high = right.x - (right.rounded ? centreX : 0)
            return Piece(x: low...max(low, high), y: (start.y - halfY)...(start.y + halfY))
        }
        let (top, bottom) = start.y < end.y ? (start, end) : (end, start)
        let low = top.y + (top.rounded ? centreY : 0)
        let high = bottom.y - (bottom.rounded ? centreY : 0)
        return Piece(x: (start.x - halfX)...(start.x + halfX), y: low...max(low, high))
    }

    private func join(_ before: Corner, _ corner: Corner, _ after: Corner) -> Piece {
        guard corner.rounded else {
            return Piece(
                x: (corner.x - halfX)...(corner.x + halfX), y: (corner.y - halfY)...(corner.y + halfY))
        }
        // The bend's centre lies towards both neighbours; the quarter of the ring points away from them.
        let sx: Double = (before.x != corner.x ? before.x : after.x) > corner.x ? -1 : 1
        let sy: Double = (before.y != corner.y ? before.y : after.y) > corner.y ? -1 : 1
        return .bend(
            x: corner.x - sx * centreX, y: corner.y - sy * centreY,
            outerX: radiusX, outerY: radiusY,
            innerX: radiusX - Double(stem), innerY: radiusY - Double(bar), sx: sx, sy: sy)
    }

    private var halfX: Double { Double(stem) / 2 }
    private var halfY: Double { Double(bar) / 2 }
    // The distance from a rounded corner's centre point to the centre of its bend.
    private var centreX: Double { radiusX - halfX }
    private var centreY: Double { radiusY - halfY }
}
