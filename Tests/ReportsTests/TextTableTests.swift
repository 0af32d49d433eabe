import Reports
import Testing

@Suite struct TextTableTests {
    @Test func `Columns stay aligned after wide characters`() {
        let lines = TextTable.lines(
            ["NAME", "COUNT"], [["シジュウカラ", "3"], ["Wren 🐦", "12"], ["Blåmes", "7"]])
        #expect(
            lines == [
                "NAME          COUNT",
                "シジュウカラ  3",
                "Wren 🐦       12",
                "Blåmes        7",
            ])
    }
}
