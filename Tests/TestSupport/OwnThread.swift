import CTestSupport
import Glibc

/// Runs `body` on a new thread and waits for it: what belongs to a thread, such as blocked signals, stays there;
/// the umask too, where the kernel lets a thread have its own.
///
/// What is expected there belongs to no test and would be lost: return it, and expect it here.
///
/// - Parameters:
///   - user: whose permissions the thread has on files; its own where it is nil. Root only.
///   - body: the work.
/// - Returns: What `body` returns.
/// - Throws: what `body` throws, or ``SupportError/system(call:subject:errno:)``.
package func onItsOwnThread<Value>(asUser user: UInt32? = nil, _ body: @escaping () throws -> Value) throws
    -> Value
{
    var result: Result<Value, any Error>?
    let work = Work {
        ctest_unshare_umask()
        if let user { ctest_set_file_user(user) }
        result = Result { try body() }
    }
    var thread = pthread_t()
    let code = pthread_create(
        &thread, nil,
        { argument in
            if let argument { Unmanaged<Work>.fromOpaque(argument).takeUnretainedValue().body() }
            return nil
        }, Unmanaged.passUnretained(work).toOpaque())
    guard code == 0 else { throw SupportError.system(call: "pthread_create", subject: "", errno: code) }
    pthread_join(thread, nil)
    guard let result else { throw SupportError.refused(by: "thread", why: "it ended without a result") }
    return try result.get()
}

private final class Work {
    let body: () -> Void
    init(_ body: @escaping () -> Void) { self.body = body }
}
