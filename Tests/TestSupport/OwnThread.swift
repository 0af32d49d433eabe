import CTestSupport
import Glibc

/// Runs `body` on a new thread and waits for it: what belongs to a thread, such as blocked signals, stays there.
///
/// - Parameters:
///   - user: whose permissions the thread has on files; its own where it is nil. Root only.
///   - body: the work.
/// - Throws: what `body` throws, or ``SupportError/system(call:subject:errno:)``.
package func onItsOwnThread(asUser user: UInt32? = nil, _ body: @escaping () throws -> Void) throws {
    final class Work {
        var body: () throws -> Void
        var failure: (any Error)?
        init(_ body: @escaping () throws -> Void) { self.body = body }
    }
    let work = Work {
        if let user { ctest_set_file_user(user) }
        try body()
    }
    var thread = pthread_t()
    let result = pthread_create(
        &thread, nil,
        { argument in
            guard let argument else { return nil }
            let work = Unmanaged<Work>.fromOpaque(argument).takeUnretainedValue()
            do { try work.body() } catch { work.failure = error }
            return nil
        }, Unmanaged.passUnretained(work).toOpaque())
    if result != 0 { throw SupportError.system(call: "pthread_create", subject: "", errno: result) }
    pthread_join(thread, nil)
    if let failure = work.failure { throw failure }
}
