extension TimerBoard {
    /// The timer in the list that a user names by its number or its label.
    package func timer(named name: String, at now: Timestamp) -> Result<TimerData, TimerRefusal> {
        let listed = timers(at: now)
        if let timer = listed.first(where: { String($0.number) == name || $0.id.description == name }) {
            return .success(timer)
        }
        let found = listed.called(name, \.setup.title)
        guard let timer = found.first else {
            return .failure(.unknownTimer(name, among: listed.map(\.setup.title)))
        }
        return found.count == 1 ? .success(timer) : .failure(.ambiguousTimer(name, found.map(\.number)))
    }

    /// The preset that a user names by its number or its label; where `hidden`, one that was removed, the last of several.
    package func preset(named name: String, hidden: Bool = false) -> Result<TimerPreset, TimerRefusal> {
        let candidates =
            hidden ? allPresets.filter(\.isHiddenInList).reversed() : presets
        let found =
            (hidden ? nil : candidates.first { String($0.number) == name })
            ?? candidates.called(name, \.setup.title).first ?? candidates.first { $0.id.description == name }
        return found.map { .success($0) }
            ?? .failure(.unknownPreset(name, among: candidates.map(\.setup.title)))
    }

    func refusal(ofNewPreset setup: TimerSetup, most: Int) -> TimerRefusal? {
        let presets = presets
        if presets.count >= most { return .tooManyPresets(presets.map(\.setup.title)) }
        return refusal(ofPreset: setup, besides: nil)
    }

    func refusal(ofPreset setup: TimerSetup, besides id: UniqueId?) -> TimerRefusal? {
        if let id, preset(id)?.isHiddenInList != false { return .presetIsGone(setup.title) }
        if presets.contains(where: { $0.id != id && $0.setup.title.isCalled(setup.title) }) {
            return .presetExists(setup.title)
        }
        return setup.fitsRow ? nil : .invalidSetup
    }
}

extension Collection {
    /// Those that a user may mean by a name: those that have exactly this one, or else those that have it in other capitals.
    fileprivate func called(_ name: String, _ title: (Element) -> String) -> [Element] {
        let exact = filter { title($0) == name }
        return exact.isEmpty ? filter { title($0).isCalled(name) } : exact
    }
}

extension String {
    /// Whether a user who types a name means this one.
    fileprivate func isCalled(_ name: String) -> Bool { lowercased() == name.lowercased() }
}
