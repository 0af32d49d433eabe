import TestSupport
import Testing

/// What a power cut leaves on the model of a disk.
@Suite struct DiskTests {
    private func remains(_ survival: Survival, after events: Recording.Event...) -> [Disk.Remnant] {
        var disk = Disk(folder: "/f")
        for event in events { disk.apply(event) }
        return disk.remains(survival)
    }

    private let bytes = [UInt8](repeating: 7, count: 1_000)

    @Test func `What was synced is there, and its name once the directory was synced`() {
        let content = remains(
            .nothing, after: .madeFile("/f/a"), .wrote("/f/a", offset: 0, bytes), .synced("/f/a"),
            .synced("/f"),
            .wrote("/f/a", offset: 0, [1]), .truncated("/f/a", size: 3))
        #expect(content == [.init("/a", .file(bytes))])
        #expect(
            remains(.nothing, after: .madeFile("/f/a"), .wrote("/f/a", offset: 0, bytes), .synced("/f/a"))
                == [])
    }

    @Test func `A file in a directory that is lost is lost with it`() {
        let events: [Recording.Event] = [
            .madeDirectory("/f/d"), .madeFile("/f/d/a"), .synced("/f/d/a"), .synced("/f/d"),
        ]
        var disk = Disk(folder: "/f")
        events.forEach { disk.apply($0) }
        #expect(disk.remains(.nothing) == [])
        disk.apply(.synced("/f"))
        #expect(disk.remains(.nothing) == [.init("/d", .directory), .init("/d/a", .file([]))])
    }

    @Test func `A file that was removed without a sync may come back as it was`() {
        let events: [Recording.Event] = [
            .madeFile("/f/a"), .wrote("/f/a", offset: 0, [1, 2]), .synced("/f/a"), .synced("/f"),
            .removed("/f/a"),
            .madeFile("/f/a"), .wrote("/f/a", offset: 0, [3]), .synced("/f/a"),
        ]
        var disk = Disk(folder: "/f")
        events.forEach { disk.apply($0) }
        #expect(disk.remains(.nothing) == [.init("/a", .file([1, 2]))])
        #expect(disk.remains(.everything) == [.init("/a", .file([3]))])
    }

    @Test func `A write is torn at sectors, and what is missing before its end reads as zeros`() {
        var disk = Disk(folder: "/f")
        for event: Recording.Event in [.madeFile("/f/a"), .synced("/f"), .wrote("/f/a", offset: 100, bytes)] {
            disk.apply(event)
        }
        var generator = SplitMix64(seed: 1)
        var seen: Set<[UInt8]> = []
        for _ in 0..<2_000 {
            guard case .file(let content) = disk.remains(.some(&generator)).first?.item else { continue }
            seen.insert(content)
        }
        // Three sectors of 512, or one of 4096.
        let whole = [Bool](repeating: true, count: 3)
        let expected = (0..<8).map { mask in whole.indices.map { mask >> $0 & 1 == 1 } }.map(torn)
        #expect(seen == Set(expected))
    }

    private func torn(_ kept: [Bool]) -> [UInt8] {
        var content: [UInt8] = []
        for (sector, isKept) in kept.enumerated() where isKept {
            let part = max(100, sector * 512)..<min(1_100, (sector + 1) * 512)
            content += [UInt8](repeating: 0, count: part.lowerBound - content.count)
            content += bytes.prefix(part.count)
        }
        return content
    }
}
