/// Paths that the key service and its clients share.
package enum ServicePaths {
    /// The file next to the service's socket that the service creates or touches when it has room again after it rejected a
    /// client for lack of it. Clients watch the file.
    package static func roomFile(of socket: String) -> String { socket + ".room" }
}
