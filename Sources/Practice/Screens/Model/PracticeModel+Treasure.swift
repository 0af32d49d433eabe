import CounterModel

/// What the grown-up types about videos and rewards.
extension PracticeModel {
    mutating func submit(treasure text: String, _ purpose: Typing.Purpose, _ now: Moment) -> [Effect] {
        switch purpose {
        case .videoLink:
            do throws(VideoAddressError) {
                return show(.typing(Typing(.videoTitle(id: try ApprovedVideo.extractVideoID(from: text)))))
            } catch { return refuse(error.message) }
        case .videoTitle(let id):
            guard Reward.admits(name: text) else { return refuse(Texts.noName) }
            return show(.typing(Typing(.videoPrice(id: id, title: text))))
        case .videoPrice(let id, let title):
            guard let price = price(text) else { return refuse(Texts.noNumber) }
            return approve(id, title, price, now)
        case .videoLength(let id):
            guard let minutes = text.isEmpty ? 0 : number(text, ApprovedVideo.lengths) else {
                return refuse(Texts.noNumber)
            }
            return change(video: id) { $0.duration = .seconds(60 * minutes) }
        case .videoCategory(let id):
            guard text.isEmpty || Reward.admits(name: text) else { return refuse(Texts.noName) }
            return change(video: id) { $0.category = text.isEmpty ? nil : text }
        case .rewardName:
            guard Reward.admits(name: text) else { return refuse(Texts.noName) }
            return show(.typing(Typing(.rewardPrice(name: text))))
        case .rewardPrice(let name):
            guard let price = price(text) else { return refuse(Texts.noNumber) }
            settings.parentSettings.offer(Reward(name: name, price: price))
            return [.saveSettings] + show(.rewards)
        case .firstPIN, .newPIN, .repeatedPIN, .pin, .playerName, .minutes, .volume: return []
        }
    }

    /// Nothing typed is the usual price.
    private func price(_ text: String) -> Int? {
        text.isEmpty ? ApprovedVideo.standardPrice : number(text, Reward.prices)
    }

    /// A video that is approved already keeps what is known about it.
    private mutating func approve(_ id: String, _ title: String, _ price: Int, _ now: Moment) -> [Effect] {
        guard settings.parentSettings.video(id) == nil else {
            return change(video: id) { ($0.title, $0.price) = (title, price) }
        }
        settings.parentSettings.approvedVideos.append(
            ApprovedVideo(id: id, title: title, duration: .zero, addedAt: now.time, price: price))
        return [.saveSettings] + show(.videos)
    }

    private mutating func change(video id: String, _ change: (inout ApprovedVideo) -> Void) -> [Effect] {
        let videos = settings.parentSettings.approvedVideos
        for index in videos.indices where videos[index].id == id {
            change(&settings.parentSettings.approvedVideos[index])
        }
        return [.saveSettings] + show(.video(id: id))
    }
}
