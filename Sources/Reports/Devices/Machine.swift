import Glibc
import Linux
import VolumeInput

/// Where the program runs and what the machine has: the facts that decide how this user gains access to the volume keys.
package struct Machine: Sendable {
    /// Whether the user is a member of the group whose members the key service serves in any session.
    enum Membership {
        case none
        /// The user joined the group after this session began; it takes effect at the next login.
        case fromNextLogin
        case effective
    }

    /// The group whose members the service serves; see `systemd/sysusers.d/counter.conf`.
    static let group = "counter"

    let user: String
    let isRoot: Bool
    /// The path of the checkout that this program was built in; `nil` where the program is installed or lies elsewhere, or
    /// where another user can change the checkout.
    let checkout: String?
    /// systemd runs on this machine, and the settings do not disable its key service.
    let runsServices: Bool
    let hasServiceUnit: Bool
    /// The program runs in a session at the machine's seat, not over SSH.
    let isAtSeat: Bool
    let membership: Membership
}

extension Machine {
    /// Looks at this machine and at the program's session; `usesService` says whether the settings let the key service be used.
    package init(executable: String?, usesService: Bool) {
        user = LoginName.current
        isRoot = getuid() == 0
        checkout = Self.checkout(above: executable)
        runsServices = usesService && access("/run/systemd/system", F_OK) == 0
        hasServiceUnit = Self.unitDirectories.contains { access("\($0)/counter-keys.socket", F_OK) == 0 }
        isAtSeat = LoginSeat() != nil
        membership = Self.membership
    }

    /// See UNIT FILE LOAD PATH in systemd.unit(5).
    private static let unitDirectories = ["/etc", "/run", "/usr/local/lib", "/usr/lib", "/lib"].map {
        "\($0)/systemd/system"
    }

    /// The program lies in `CHECKOUT/.build*/TRIPLE/CONFIGURATION`; see swift-build(1) and the Makefile. Of a checkout that
    /// another user can change nothing is offered, because that user would say what `make install` runs.
    private static func checkout(above path: String?) -> String? {
        guard let path else { return nil }
        let build = parentDirectory(parentDirectory(parentDirectory(path)))
        let checkout = parentDirectory(build)
        let needed = [path] + ["Makefile", "scripts/install-tree"].map { "\(checkout)/\($0)" }
        guard build.hasPrefix("\(checkout)/.build"), access("\(checkout)/scripts/install-tree", X_OK) == 0,
            needed.allSatisfy({ (try? TrustedFile($0)) != nil })
        else { return nil }
        return checkout
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
