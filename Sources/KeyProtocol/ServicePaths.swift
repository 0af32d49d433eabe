/// The files by which the key service and its clients find one another.
package enum ServicePaths {
    /// The file beside the service's socket that the service makes or touches when it has room again for a client that it had none
    /// for. A client watches it.
    package static func roomFile(of socket: String) -> String { socket + ".room" }
}
