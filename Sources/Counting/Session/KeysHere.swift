public import CounterModel
import KeyProtocol
public import System
import VolumeInput

extension Devices {
    /// The ids of the input devices whose keys a user's programs read, and of the volume keys that terminals report.
    public func keysHere(of userId: String) -> Set<Identifier> {
        keys(readBy: userId).union([NodeReport.terminal.stableID])
    }
}
