import Glibc

/// How much a random test tries.
enum TestVolume {
    /// A million where `COUNTER_TEST_VOLUME` is `full`, else a sample.
    static let cases =
        getenv("COUNTER_TEST_VOLUME").map { String(cString: $0) } == "full" ? 1_000_000 : 20_000
}
