import CounterModel

/// The key of a rollup: a minute of a segment.
struct MinuteKey: Hashable, Comparable {
    let reset: Int64
    let minute: Int64

    static func < (left: MinuteKey, right: MinuteKey) -> Bool {
        (left.reset, left.minute) < (right.reset, right.minute)
    }
}

/// The minutes of a location during a replay. Most come in the order of their keys and are kept in an array; only
/// late ones are hashed.
struct ReplayedMinutes {
    private var ascending: [(key: MinuteKey, sum: MinuteRollup)] = []
    private var late: [MinuteKey: MinuteRollup] = [:]

    /// All minutes, in the order of their keys.
    var sorted: [(key: MinuteKey, sum: MinuteRollup)] {
        late.isEmpty ? ascending : (ascending + late.map { ($0.key, $0.value) }).sorted { $0.key < $1.key }
    }

    subscript(key: MinuteKey) -> MinuteRollup? {
        get { index(of: key).map { ascending[$0].sum } ?? late[key] }
        set {
            guard let sum = newValue else { return }
            if ascending.last.map({ $0.key < key }) ?? true {
                ascending.append((key, sum))
            } else if let index = index(of: key) {
                ascending[index].sum = sum
            } else {
                late[key] = sum
            }
        }
    }

    /// The index of a minute that came in order.
    private func index(of key: MinuteKey) -> Int? {
        guard let last = ascending.last, key <= last.key else { return nil }
        var (low, high) = (0, ascending.count - 1)
        while low < high {
            let middle = (low + high) / 2
            if ascending[middle].key < key { low = middle + 1 } else { high = middle }
        }
        return ascending[low].key == key ? low : nil
    }
}
