import Testing

/// The suites that start `counter-keys`. One test at a time: some look for their servers among this process's
/// children.
@Suite(.serialized) enum ServerProcesses {}
