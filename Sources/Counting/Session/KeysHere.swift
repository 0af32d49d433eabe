package import CounterModel
import KeyProtocol
package import Linux
import VolumeInput

extension Devices {
    /// The ids of the input devices whose keys a user's programs read, and of the volume keys that terminals report.
    package func keysHere(of userId: String) -> Set<Identifier> {
        keys(readBy: userId).union([NodeReport.terminal.stableID])
    }
}
