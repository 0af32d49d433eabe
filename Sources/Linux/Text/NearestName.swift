extension Sequence<String> {
    /// The name that resembles a mistyped one most, or else the only one that has it as a word; nil where none does. Upper and
    /// lower case count as equal.
    package func nearest(to typed: String) -> String? {
        guard typed.utf8.count <= 256 else { return nil }
        let letters = Array(typed.lowercased())
        let candidates = map { name in
            let others = Array(name.lowercased())
            // A replaced letter is one removal and one insertion.
            return (
                name: name, distance: others.difference(from: letters).count,
                limit: (letters.count + others.count + 2) / 5
            )
        }
        let nearest = candidates.filter { $0.distance <= $0.limit }.min { $0.distance < $1.distance }?.name
        return nearest ?? only(withWord: typed.lowercased())
    }

    private func only(withWord word: String) -> String? {
        let names = Set(filter { $0.lowercased().split(separator: " ").contains(Substring(word)) })
        return names.count == 1 ? names.first : nil
    }

    /// The question whether a similar name was meant, with a space after it; empty where no name is similar.
    package func suggestion(for typed: String) -> String {
        nearest(to: typed).map { "Did you mean '\($0)'? " } ?? ""
    }
}
