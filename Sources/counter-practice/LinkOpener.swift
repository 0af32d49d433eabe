import Glibc
import Linux

/// Opens addresses in the desktop's browser by `xdg-open`.
final class LinkOpener {
    private var processes: [Int32] = []

    /// Opens an address, without waiting.
    ///
    /// - Parameter link: one that was made from a video's ID, never one that somebody typed.
    /// - Returns: why it cannot be opened; the screen shows the address then.
    func open(_ link: String) -> String? {
        reap()
        guard ["DISPLAY", "WAYLAND_DISPLAY"].contains(where: { environmentVariable($0)?.isEmpty == false })
        else {
            return "There is no desktop here: open the address elsewhere."
        }
        do throws(SystemCallError) {
            processes.append(try DetachedProcess.start(["xdg-open", link]))
            return nil
        } catch {
            return error.errno == ENOENT ? "xdg-open is missing: install xdg-utils." : "\(error)"
        }
    }

    /// The corresponding C function is `waitpid(2)`.
    func reap() { processes.removeAll { waitpid($0, nil, WNOHANG) != 0 } }
}
