import TestSupport

/// `counter practice` in the terminal of the demo.
extension Player {
    /// Makes a player, solves a die, and opens the counter again.
    func practise(on device: Device) throws {
        // A terminal that reports its focus, as one without tmux.
        try terminal.respawn(
            ["env", "-u", "TMUX", "TERM=xterm-256color", BuiltProducts.counter, "practice"])
        try terminal.addFirstPlayer()
        // The grown-up has typed; the child has two keys.
        for text in ["1 of 12", "Who plays?"] {
            try terminal.waitForText(text)
            try perform(.pressBoth(on: device))
        }
        for card in 1...2 {
            try terminal.waitForText("\(card) of 6")
            try perform(.press(.volumeUp, on: device))
        }
        try terminal.waitForText("3 of 6")
        try perform(.pressBoth(on: device))
        let pips = try pips(on: terminal.waitForText("[Both done"))
        try perform(.press(.volumeUp, on: device, times: pips))
        try terminal.waitForScreen("\(pips) presses") { $0.lines.joined().count { $0 == "●" } % pips == 0 }
        try perform(.pressBoth(on: device))
        try terminal.waitForText("Solved! 2 coins for you.")
        pause(.seconds(1))
        try terminal.respawn([BuiltProducts.counter, "--always"])
        try terminal.waitForText("\(device.name) exclusive")
    }

    /// The pips of large dice, or else of small ones.
    private func pips(on screen: Screen) -> Int {
        let large = screen.lines.reduce(0) { $0 + $1.ranges(of: "▟██▙").count }
        return large > 0 ? large : screen.lines.filter { $0.contains("│") }.joined().count { $0 == "●" }
    }
}
