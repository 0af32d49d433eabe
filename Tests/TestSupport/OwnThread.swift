import CTestSupport
import Glibc

/// Runs `body` on a new thread and waits for it. Per-thread state, such as blocked signals, stays on that thread; so does
/// the umask, where the kernel allows a thread its own.
///
/// An expectation on that thread belongs to no test and would be lost: return the value, and check it on the test's
/// thread. With `user`, the thread has the file permissions of that user, which needs root.
package func onItsOwnThread<Value>(asUser user: UInt32? = nil, _ body: @escaping () throws -> Value) throws
    -> Value
{
    try OwnThread {
        ctest_unshare_umask()
        if let user { ctest_set_file_user(user) }
        return try body()
    }.result()
}

/// A thread that works beside the test's.
package final class OwnThread<Value> {
    private var thread = pthread_t()
    private let work: Work

    package init(_ body: @escaping () throws -> Value) throws(SupportError) {
        var result: Result<Value, any Error>?
        work = Work { result = Result { try body() } }
        taken = { result }
        let code = pthread_create(
            &thread, nil,
            { argument in
                if let argument { Unmanaged<Work>.fromOpaque(argument).takeUnretainedValue().body() }
                return nil
            }, Unmanaged.passUnretained(work).toOpaque())
        guard code == 0 else { throw SupportError.system(call: "pthread_create", subject: "", errno: code) }
    }

    private let taken: () -> Result<Value, any Error>?

    /// Waits for its end; to be called once.
    package func result() throws -> Value {
        pthread_join(thread, nil)
        guard let result = taken() else {
            throw SupportError.refused(by: "thread", why: "it ended without a result")
        }
        return try result.get()
    }
}

private final class Work {
    let body: () -> Void
    init(_ body: @escaping () -> Void) { self.body = body }
}
