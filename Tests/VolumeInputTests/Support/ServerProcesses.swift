import Testing

/// The suites that start `counter-keys`. One test at a time: some look for theirs among this process's children.
@Suite(.serialized) enum ServerProcesses {}
