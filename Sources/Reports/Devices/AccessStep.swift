/// A step that can be run to gain access to the keys.
package enum AccessStep: Hashable, Sendable {
    /// Installs everything from this checkout.
    case install(checkout: String)
    /// Starts the key service, which is installed.
    case startService
    /// Adds the user to the group whose members the service serves in any session.
    case joinGroup(user: String)
    /// Makes the user the owner of a node.
    case ownNode(String, user: String)

    /// The step's name, in a few words.
    package var name: String {
        switch self {
        case .install: "make install"
        case .startService: "starting the key service"
        case .joinGroup: "joining group \(Machine.group)"
        case .ownNode: "owning the device's node"
        }
    }

    /// The step's effect, in a sentence.
    package var effect: String {
        switch self {
        case .install:
            "make install sets up the key service: it reads the volume keys for the user of the seat's active session."
        case .startService: "The key service is installed; once started, it reads the volume keys for you."
        case .joinGroup:
            "The key service serves the members of group \(Machine.group) in every session."
        case .ownNode:
            "Yours until it is unplugged; all your programs can read it then, on a keyboard the typing too."
        }
    }

    /// The command that takes the step.
    package var command: RemedyCommand {
        switch self {
        case .install(let checkout): RemedyCommand(["make", "-C", checkout, "install"], of: checkout)
        case .startService: .asRoot(["systemctl", "enable", "--now", "counter-keys.socket"])
        case .joinGroup(let user): .asRoot(["usermod", "-aG", Machine.group, user])
        case .ownNode(let path, let user): .asRoot(["chown", user, path])
        }
    }
}
