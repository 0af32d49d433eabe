import TestSupport

/// A model of a disk with the files and directories below one folder. A power cut keeps what was synced, and any part
/// of the rest.
///
/// A power cut keeps of a file what was written or truncated before its last sync, and any sectors of what came
/// later; of a directory the names made or removed before its last sync, and any of the later ones. Files and
/// directories are independent of each other. No file system is worse; for real ones see Pillai and others, "All File
/// Systems Are Not Created Equal" (OSDI 2014).
struct Disk {
    private typealias Number = Int

    private struct File {
        var synced: [UInt8] = []
        var unsynced: [Change] = []
    }

    private enum Change {
        case write([UInt8], at: Int)
        case truncation(size: Int)
    }

    private struct Directory {
        var synced: [String: Number] = [:]
        /// A name and the file that it names from then on; nil if the name is removed.
        var unsynced: [(name: String, number: Number?)] = []
    }

    private static let root = 0

    private var files: [Number: File] = [:]
    private var directories = [Self.root: Directory()]
    /// The files by their whole paths, as running programs see them.
    private var numbers: [String: Number]

    /// A disk with an empty folder, which is synced.
    init(folder: String) {
        numbers = [folder: Self.root]
    }

    /// Whether a power cut could lose anything.
    var hasUnsynced: Bool {
        files.values.contains { !$0.unsynced.isEmpty } || directories.values.contains { !$0.unsynced.isEmpty }
    }

    /// Repeats an operation of the program.
    mutating func apply(_ event: Recording.Event) {
        switch event {
        case .madeFile(let path): files[add(path)] = File()
        case .madeDirectory(let path): directories[add(path)] = Directory()
        case .removed(let path):
            numbers[path] = nil
            note(path, nil)
        case .wrote(let path, let offset, let bytes): change(path, .write(bytes, at: offset))
        case .truncated(let path, let size): change(path, .truncation(size: size))
        case .synced(let path): sync(path)
        case .said: break
        }
    }

    private mutating func add(_ path: String) -> Number {
        let number = files.count + directories.count
        numbers[path] = number
        note(path, number)
        return number
    }

    private mutating func note(_ path: String, _ number: Number?) {
        let end = path.lastIndex(of: "/") ?? path.startIndex
        guard let parent = numbers[String(path[..<end])] else { return }
        directories[parent]?.unsynced.append((String(path[path.index(after: end)...]), number))
    }

    private mutating func change(_ path: String, _ change: Change) {
        guard let number = numbers[path] else { return }
        files[number]?.unsynced.append(change)
    }

    private mutating func sync(_ path: String) {
        guard let number = numbers[path] else { return }
        var everything = Survival.everything
        if let file = files[number] { files[number] = File(synced: Self.content(of: file, &everything)) }
        if let directory = directories[number] {
            directories[number] = Directory(synced: Self.names(in: directory, &everything))
        }
    }
}

// MARK: - After a power cut

extension Disk {
    enum Item: Hashable {
        case directory
        case file([UInt8])
    }

    /// A file or directory that the power cut has left.
    struct Remnant: Hashable {
        /// Below the folder, beginning with a slash.
        let path: String
        let item: Item

        init(_ path: String, _ item: Item) { (self.path, self.item) = (path, item) }
    }

    /// Everything that a power cut leaves; directories before their content.
    func remains(_ survival: Survival) -> [Remnant] {
        var survival = survival
        return remains(of: Self.root, path: "", &survival)
    }

    private func remains(of directory: Number, path: String, _ survival: inout Survival) -> [Remnant] {
        var remains: [Remnant] = []
        let names = directories[directory].map { Self.names(in: $0, &survival) } ?? [:]
        for (name, number) in names.sorted(by: { $0.key < $1.key }) {
            let below = "\(path)/\(name)"
            if let file = files[number] {
                remains.append(Remnant(below, .file(Self.content(of: file, &survival))))
            } else {
                remains.append(Remnant(below, .directory))
                remains += self.remains(of: number, path: below, &survival)
            }
        }
        return remains
    }

    private static func names(in directory: Directory, _ survival: inout Survival) -> [String: Number] {
        var names = directory.synced
        for (name, number) in directory.unsynced where survival.decide() { names[name] = number }
        return names
    }

    private static func content(of file: File, _ survival: inout Survival) -> [UInt8] {
        var content = file.synced
        for change in file.unsynced {
            switch change {
            case .truncation(let size): if survival.decide() { resize(&content, to: size) }
            case .write(let bytes, let offset): write(bytes, at: offset, to: &content, &survival)
            }
        }
        return content
    }

    private static func write(
        _ bytes: [UInt8], at offset: Int, to content: inout [UInt8], _ survival: inout Survival
    ) {
        var start = offset
        let end = offset + bytes.count
        while start < end {
            let next = min(end, (start / survival.sector + 1) * survival.sector)
            if survival.decide() {
                if content.count < next { resize(&content, to: next) }
                content.withUnsafeMutableBytes { content in
                    bytes.withUnsafeBytes { bytes in
                        let part = UnsafeRawBufferPointer(rebasing: bytes[start - offset..<next - offset])
                        UnsafeMutableRawBufferPointer(rebasing: content[start..<next]).copyMemory(from: part)
                    }
                }
            }
            start = next
        }
    }

    private static func resize(_ content: inout [UInt8], to size: Int) {
        content = content.prefix(size) + Array(repeating: 0, count: max(0, size - content.count))
    }
}

/// Decides which unsynced data survives a power cut.
struct Survival {
    private enum Rule {
        case always
        case never
        /// Each part with this probability.
        case of(percent: Int)
        /// The first parts, up to some point.
        case first(Int)
        /// The last parts, from some point on.
        case notFirst(Int)
    }

    /// The size of a sector, which is written whole or not at all, in bytes.
    let sector: Int
    private let rule: Rule
    private var generator: SplitMix64
    private var decisions = 0

    private init(_ rule: Rule, sector: Int = .max, generator: SplitMix64 = SplitMix64(seed: 0)) {
        (self.rule, self.sector, self.generator) = (rule, sector, generator)
    }

    /// As when only the program is killed.
    static var everything: Survival { Survival(.always) }
    static var nothing: Survival { Survival(.never) }

    /// Some of it, in sectors of 512 or 4096 bytes, chosen by `generator`.
    static func some(_ generator: inout SplitMix64) -> Survival {
        let sector = generator.element(of: [512, 4096])
        let rule: Rule =
            switch generator.below(4) {
            case 0: .first(generator.below(64))
            case 1: .notFirst(generator.below(64))
            default: .of(percent: generator.element(of: [10, 50, 90]))
            }
        return Survival(rule, sector: sector, generator: SplitMix64(seed: generator.next()))
    }

    /// Whether the next part survives.
    mutating func decide() -> Bool {
        defer { decisions += 1 }
        switch rule {
        case .always: return true
        case .never: return false
        case .of(let percent): return generator.below(100) < percent
        case .first(let count): return decisions < count
        case .notFirst(let count): return decisions >= count
        }
    }
}
