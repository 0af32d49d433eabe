import CLinux
import Glibc
import Linux
import NIOCore
import Synchronization

/// The thread that waits for PostgreSQL, as libpq does: it does one job after the other, and tells what hubs notify. At rest it sleeps.
final class LogThread: Sendable {
    private typealias Job = @Sendable (inout LogConnection?) -> Void

    private let jobs = Mutex<[Job]>([])
    private let wake: CInt
    private let loop: any EventLoop
    /// Called on the loop with the hubs that have put rows into the log, or with why the connection has ended.
    private let onNotification: NIOLoopBound<(Result<[String], any Error>) -> Void>

    init(
        _ loop: any EventLoop, onNotification: @escaping (Result<[String], any Error>) -> Void
    ) throws(SystemCallError) {
        self.loop = loop
        self.onNotification = NIOLoopBound(onNotification, eventLoop: loop)
        wake = try systemCall("eventfd") { eventfd(0, CInt(EFD_CLOEXEC)) }
        var thread = pthread_t()
        let start = Unmanaged.passRetained(self).toOpaque()
        let code = pthread_create(
            &thread, nil,
            { start in
                guard let start else { return nil }
                Unmanaged<LogThread>.fromOpaque(start).takeRetainedValue().serve()
            }, start)
        guard code == 0 else { throw SystemCallError(call: "pthread_create", errno: code) }
        pthread_detach(thread)
    }

    /// Does something on the thread after all that was asked before, with the connection, which it may make and end.
    func run<Value: Sendable>(
        _ body: @escaping @Sendable (inout LogConnection?) throws -> Value
    ) -> EventLoopFuture<Value> {
        let promise = loop.makePromise(of: Value.self)
        jobs.withLock { jobs in
            jobs.append { connection in
                let result = Result { try body(&connection) }
                // A connection that is broken has no other use.
                if case .failure = result { connection = nil }
                promise.completeWith(result)
            }
        }
        eventfd_write(wake, 1)
        return promise.futureResult
    }

    private func serve() -> Never {
        var connection: LogConnection?
        while true {
            var polled = [pollfd(fd: wake, events: Int16(POLLIN), revents: 0)]
            if let connection {
                polled.append(pollfd(fd: connection.database.socket, events: Int16(POLLIN), revents: 0))
            }
            guard poll(&polled, nfds_t(polled.count), -1) > 0 else { continue }
            if polled[0].revents != 0 {
                var count = eventfd_t()
                eventfd_read(wake, &count)
                for job in jobs.withLock({ jobs in
                    defer { jobs = [] }
                    return jobs
                }) { job(&connection) }
            }
            guard let open = connection else { continue }
            do {
                let hubs = try open.database.notifications()
                if !hubs.isEmpty { tell(.success(hubs)) }
            } catch {
                connection = nil
                tell(.failure(error))
            }
        }
    }

    private func tell(_ result: Result<[String], any Error>) {
        loop.execute { [onNotification] in onNotification.value(result) }
    }
}
