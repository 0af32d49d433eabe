import Glibc
import System

/// What decides how this user comes to hear volume keys: where the program is, and what the machine has.
struct Machine {
    /// Whether the user is in the group whose members the key service serves wherever they are.
    enum Membership {
        case none
        /// Joined after this program's session began: groups are those of the login.
        case fromNextLogin
        case effective
    }

    /// The group that the service serves; see `systemd/sysusers.d/counter.conf`.
    static let group = "counter"

    let user = LoginName.current
    let isRoot = getuid() == 0
    /// The checkout that this program was built in, as a path; `nil` where it is installed or elsewhere.
    let checkout = Machine.checkout(above: Paths.executable)
    /// systemd runs here, and its key service is not to be left alone.
    let runsServices = Paths.keyService != nil && access("/run/systemd/system", F_OK) == 0
    /// The key service's unit is where systemd looks for units.
    let hasServiceUnit = Machine.unitDirectories.contains { access("\($0)/counter-keys.socket", F_OK) == 0 }
    /// The session that this program runs in is one at the machine, and not over SSH.
    let isAtSeat = LoginSeat() != nil
    let membership = Machine.membership

    /// See UNIT FILE LOAD PATH in systemd.unit(5).
    private static let unitDirectories = ["/etc", "/run", "/usr/local/lib", "/usr/lib", "/lib"].map {
        "\($0)/systemd/system"
    }

    private static func checkout(above path: String?) -> String? {
        var directory = path ?? ""
        while let slash = directory.lastIndex(of: "/") {
            directory = String(directory[..<slash])
            if access("\(directory)/scripts/install-tree", X_OK) == 0 { return directory }
        }
        return nil
    }

    private static var membership: Membership {
        guard let group = getgrnam(Machine.group)?.pointee else { return .none }
        var effective = [gid_t](repeating: 0, count: Int(max(0, getgroups(0, nil))))
        _ = getgroups(CInt(effective.count), &effective)
        if effective.contains(group.gr_gid) || getegid() == group.gr_gid { return .effective }
        var member = group.gr_mem
        while let name = member?.pointee {
            if String(cString: name) == LoginName.current { return .fromNextLogin }
            member = member?.successor()
        }
        return .none
    }
}
