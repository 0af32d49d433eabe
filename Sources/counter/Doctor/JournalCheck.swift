import CounterModel
import CounterStore
import Glibc
import Linux
import Reports

/// Checks the journal: whether it can be read, or created where there is none yet.
struct JournalCheck {
    let settings: Settings

    /// The ids of devices that are disabled in the journal; empty where it cannot be read.
    var inactiveDevices: Set<Identifier> {
        let devices = try? SQLiteJournal.existing(settings).devices()
        return devices.map { Devices($0).inactive } ?? []
    }

    /// The problems found.
    var findings: [Finding] {
        guard access(settings.dataDirectory, F_OK) == 0 else { return creationProblems }
        do {
            _ = try SQLiteJournal.existing(settings).existingLocation(named: settings.location)
            return []
        } catch let error as JournalError where error.reason == .missing {
            return creationProblems
        } catch { return [Finding(error, remedy: "Name another directory with --data-dir.")] }
    }

    /// Checks the location of a journal that does not exist yet: the nearest existing directory above it must be
    /// writable.
    private var creationProblems: [Finding] {
        var directory = settings.dataDirectory
        while access(directory, F_OK) != 0, let slash = directory.lastIndex(of: "/"),
            slash != directory.startIndex
        {
            directory = String(directory[..<slash])
        }
        var kind = stat()
        let isDirectory = stat(directory, &kind) == 0 && kind.st_mode & S_IFMT == S_IFDIR
        if isDirectory, access(directory, W_OK | X_OK) == 0 { return [] }
        let errno = isDirectory ? errno : ENOTDIR
        let error = JournalError(path: settings.dataDirectory, reason: .cannotCreate(errno: errno))
        return [Finding(error, remedy: "Name another directory with --data-dir.")]
    }
}
