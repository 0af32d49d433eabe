import CCurl
import CounterModel
import Glibc
import Linux

/// The start and the end of the process, which `counter-sync` starts with three words: `hub`, or `insecure-hub` where the token may go to
/// another machine without TLS; the address; and the file of the token, or nothing. Only this program needs libcurl.
@main
enum CounterSyncHub {
    static func main() {
        Output.reserveStandardStreams()
        signal(SIGPIPE, SIG_IGN)
        let words = Array(CommandLine.arguments.dropFirst())
        do throws(ProgramError) {
            guard words.count == 3 else {
                throw ProgramError(
                    "counter-sync-hub is started by counter-sync",
                    remedy: "counter sync --help tells how.", status: EX_USAGE)
            }
            let address = try HubAddress(words[1], isInsecure: words[0] == "insecure-hub")
            let token = try HubToken.read(file: words[2])
            for stream in [STDIN_FILENO, STDOUT_FILENO] {
                _ = fcntl(stream, F_SETFL, fcntl(stream, F_GETFL) | O_NONBLOCK)
            }
            try HubLink(address, token: token).run()
        } catch {
            Output.complain(error)
            exit(error.status)
        }
    }
}

/// Carries a connection of `counter sync` between this process's standard streams and a hub: a request whose body and answer go both
/// ways at once. It is a process of its own, as ssh is: what speaks with the network has no journal open.
final class HubLink {
    /// How much of a refusal is read, in bytes.
    private static let maxRefusal = 16_384
    private static let connectTimeout = 20
    /// From the start to an answer, which a hub gives before the end of the request.
    private static let answerTimeout = Duration.seconds(25)

    private let address: HubAddress
    private let handle = curl_easy_init()
    private let multi = curl_multi_init()
    private var fields: UnsafeMutablePointer<curl_slist>?
    private var hasInputEnded = false
    private var isInputPaused = false, isOutputPaused = false
    /// What came and is not written yet.
    private var output: ArraySlice<UInt8> = []
    private var refusal: [UInt8] = []
    private let answerDeadline = MonotonicTime.now + answerTimeout

    init(_ address: HubAddress, token: String) {
        self.address = address
        set(CURLOPT_URL, address.url)
        set(CURLOPT_PROTOCOLS_STR, address.isSecure ? "https" : "http")
        // A proxy would be another machine that reads the token.
        if !address.isSecure { set(CURLOPT_PROXY, "") }
        set(CURLOPT_HTTP_VERSION, Int(CURL_HTTP_VERSION_1_1))
        set(CURLOPT_POST, 1)
        set(CURLOPT_NOSIGNAL, 1)
        set(CURLOPT_CONNECTTIMEOUT, Self.connectTimeout)
        if let pin = address.pin {
            // The key says who it is, whatever its certificate says.
            set(CURLOPT_PINNEDPUBLICKEY, pin)
            set(CURLOPT_SSL_VERIFYPEER, 0)
            set(CURLOPT_SSL_VERIFYHOST, 0)
        }
        for field in [
            "Authorization: Bearer \(token)", "Content-Type: application/x-ndjson",
            "Transfer-Encoding: chunked", "Expect:", "User-Agent: counter-sync",
        ] { fields = curl_slist_append(fields, field) }
        ccurl_set_pointer(handle, CURLOPT_HTTPHEADER, fields)
        let own = Unmanaged.passUnretained(self).toOpaque()
        ccurl_set_pointer(handle, CURLOPT_READDATA, own)
        ccurl_set_pointer(handle, CURLOPT_WRITEDATA, own)
        ccurl_set_function(handle, CURLOPT_READFUNCTION) { bytes, size, count, own in
            guard let own else { return 0 }
            return Unmanaged<HubLink>.fromOpaque(own).takeUnretainedValue()
                .readInput(UnsafeMutableRawBufferPointer(start: bytes, count: size * count))
        }
        ccurl_set_function(handle, CURLOPT_WRITEFUNCTION) { bytes, size, count, own in
            guard let own else { return 0 }
            return Unmanaged<HubLink>.fromOpaque(own).takeUnretainedValue()
                .take(UnsafeRawBufferPointer(start: bytes, count: size * count))
        }
        curl_multi_add_handle(multi, handle)
    }

    deinit {
        curl_multi_remove_handle(multi, handle)
        curl_easy_cleanup(handle)
        curl_multi_cleanup(multi)
        curl_slist_free_all(fields)
    }

    private func set(_ option: CURLoption, _ text: String) { ccurl_set_text(handle, option, text) }
    private func set(_ option: CURLoption, _ number: Int) { ccurl_set_number(handle, option, number) }

    /// Runs until the connection has ended. Throws `ProgramError`: why there is no connection, or no more.
    func run() throws(ProgramError) {
        var running: CInt = 1
        while true {
            curl_multi_perform(multi, &running)
            var result = CURLE_OK
            if ccurl_has_ended(multi, &result) != 0 { return try end(result) }
            if isInputPaused, !isOutputPaused, hasAnswerEnded {
                hasInputEnded = true
                resume(true)
                continue
            }
            let isInputReady = wait()
            if status == 0, MonotonicTime.now >= answerDeadline { throw unanswered }
            try writeOutput()
            resume(isInputReady)
        }
    }

    /// Whether libcurl waits for nothing more of the hub. By itself it would then wait for the end of the input.
    private var hasAnswerEnded: Bool {
        var (reading, writing, exceptional, highest) = (fd_set(), fd_set(), fd_set(), CInt(-1))
        curl_multi_fdset(multi, &reading, &writing, &exceptional, &highest)
        return highest < 0
    }

    /// Waits for the connection, and for the standard streams as far as they are what it waits for. Returns whether there is input,
    /// or its end.
    private func wait() -> Bool {
        var streams: [curl_waitfd] = []
        if isInputPaused {
            streams.append(curl_waitfd(fd: STDIN_FILENO, events: Int16(CURL_WAIT_POLLIN), revents: 0))
        }
        if !output.isEmpty {
            streams.append(curl_waitfd(fd: STDOUT_FILENO, events: Int16(CURL_WAIT_POLLOUT), revents: 0))
        }
        let left = max(.zero, answerDeadline - .now).microseconds / 1_000 + 1
        curl_multi_poll(multi, &streams, UInt32(streams.count), status == 0 ? CInt(left) : .max, nil)
        return isInputPaused && streams[0].revents != 0
    }

    /// Lets the paused directions go on that can.
    private func resume(_ isInputReady: Bool) {
        let isOutputReady = isOutputPaused && output.isEmpty
        guard isInputReady || isOutputReady else { return }
        if isInputReady { isInputPaused = false }
        if isOutputReady { isOutputPaused = false }
        let paused = (isInputPaused ? CURLPAUSE_SEND : 0) | (isOutputPaused ? CURLPAUSE_RECV : 0)
        curl_easy_pause(handle, paused)
    }

    // MARK: Both ways

    private func readInput(_ buffer: UnsafeMutableRawBufferPointer) -> Int {
        if hasInputEnded { return 0 }
        let count = read(STDIN_FILENO, buffer.baseAddress, buffer.count)
        if count < 0, errno == EAGAIN || errno == EINTR {
            isInputPaused = true
            return Int(CURL_READFUNC_PAUSE)
        }
        hasInputEnded = count <= 0
        return max(0, count)
    }

    private var status: Int { ccurl_number(handle, CURLINFO_RESPONSE_CODE) }

    private func text(_ info: CURLINFO) -> String? { ccurl_text(handle, info).map { String(cString: $0) } }

    /// Whether the answer is the other direction of the connection, and no page of another server.
    private var isAccepted: Bool {
        status == 200 && text(CURLINFO_CONTENT_TYPE)?.hasPrefix("application/x-ndjson") == true
    }

    private func take(_ bytes: UnsafeRawBufferPointer) -> Int {
        guard isAccepted else {
            refusal += bytes.prefix(Self.maxRefusal - refusal.count)
            return bytes.count
        }
        guard output.isEmpty else {
            isOutputPaused = true
            return Int(CURL_WRITEFUNC_PAUSE)
        }
        output += bytes
        return (try? writeOutput()) == nil ? 0 : bytes.count
    }

    /// Writes what came, as far as it is taken at once.
    private func writeOutput() throws(ProgramError) {
        while !output.isEmpty {
            let count = output.withUnsafeBytes { write(STDOUT_FILENO, $0.baseAddress, $0.count) }
            if count < 0 {
                if errno == EAGAIN || errno == EINTR { return }
                throw .readerEnded
            }
            output.removeFirst(count)
        }
        output = []
    }

    // MARK: The end

    private func end(_ result: CURLcode) throws(ProgramError) {
        if !output.isEmpty {
            _ = fcntl(STDOUT_FILENO, F_SETFL, fcntl(STDOUT_FILENO, F_GETFL) & ~O_NONBLOCK)
            try writeOutput()
        }
        if status != 0, !isAccepted { throw refused() }
        if result != CURLE_OK { throw failure(result) }
    }

    private func failed(_ why: String, remedy: String?, _ status: CInt = EX_UNAVAILABLE) -> ProgramError {
        ProgramError("\(address.name): \(why)", remedy: remedy, status: status)
    }

    /// Why there is no connection, by the answer. `EX_TEMPFAIL`: time may mend it.
    private func refused() -> ProgramError {
        let members = (try? LineFields.members(json: refusal[...])) ?? []
        let said = members.first { $0.name == "why" }.flatMap { member in
            (try? LineFields(json: Array("{\"reason\"\(member.text.dropFirst(5))}".utf8)[...]))?[.reason]
        }
        let why = said.map { ": \($0.sanitised)" } ?? ""
        let make = "Make one on the hub: counter-hub token add NAME --door --location LOCATION"
        switch status {
        case 200: return noHub("answers as a web server does")
        case 300...399: return redirected()
        case 401: return failed("does not accept the token\(why)", remedy: make, EX_NOPERM)
        case 403: return failed("the token is not for counter sync\(why)", remedy: make, EX_NOPERM)
        case 404, 405:
            return failed(
                "there is no hub, or one of an earlier version",
                remedy: "Compare the address, and install the same version of counter-hub there.")
        case 413:
            return failed(
                "a proxy before the hub limits how much one request sends",
                remedy: "Lift the limit there; in nginx: client_max_body_size 0;")
        case 429,
            503 where said != nil:
            return failed("the hub is busy\(why)", remedy: "Try again in a minute.", EX_TEMPFAIL)
        case 502...504:
            return failed(
                "a proxy before the hub does not reach it (\(status))",
                remedy: "\(Self.hubRemedy)\nOn the proxy, look at its log.", EX_TEMPFAIL)
        case _ where said != nil:
            return failed("answers \(status)\(why)", remedy: "Look at the hub's log, and at a proxy's.")
        default: return noHub("answers \(status)")
        }
    }

    /// Another server says where the hub is, or a network asks its guests to log in.
    private func redirected() -> ProgramError {
        let target = text(CURLINFO_REDIRECT_URL).map { $0.sanitised } ?? ""
        let address = target.hasSuffix("/v1/sync") ? String(target.dropLast(8)) : nil
        return failed(
            "sends on to another address\(target.isEmpty ? "" : ", \(target)")",
            remedy: address.map { "Use that address, if it is the hub's: \($0)" }
                ?? "Compare the address. Where a network asks its guests to log in, do so in a browser.",
            address == nil ? EX_TEMPFAIL : EX_UNAVAILABLE)
    }

    /// A proxy that waits for the end of the request, or a hub that hangs.
    private var unanswered: ProgramError {
        failed(
            "no answer within \(Self.answerTimeout.components.seconds) s",
            remedy: "\(Self.proxyRemedy)\n\(Self.hubRemedy)", EX_TEMPFAIL)
    }

    private static let hubRemedy = "On the hub: systemctl status counter-hub"
    private static let proxyRemedy =
        "A proxy before the hub must pass on both directions at once, without a limit; docs/hub.md has how, for nginx and Caddy."

    /// Something else than a hub is there.
    private func noHub(_ what: String) -> ProgramError {
        failed(
            "what listens at this port is no hub: it \(what)",
            remedy: "Compare the address. The port of a hub is 8484 unless it was told otherwise."
                + (address.isSecure ? "" : "\nWhere it serves TLS, begin the address with https://"))
    }

    /// What stands between this machine and the hub.
    private func failure(_ result: CURLcode) -> ProgramError {
        switch result {
        case CURLE_COULDNT_RESOLVE_HOST:
            return failed(
                "no machine has the name '\(address.host)', or the name service cannot be reached",
                remedy: "To try it: getent hosts \(address.host.quotedForShell)")
        case CURLE_COULDNT_CONNECT where ccurl_number(handle, CURLINFO_OS_ERRNO) == Int(ECONNREFUSED):
            return failed(
                "nothing listens at this port",
                remedy:
                    "The hub's is 8484 unless it was told otherwise, and it serves other machines only with --listen.\n"
                    + Self.hubRemedy)
        case CURLE_COULDNT_CONNECT, CURLE_OPERATION_TIMEDOUT:
            let reason = ccurl_number(handle, CURLINFO_OS_ERRNO)
            return failed(
                "cannot be reached\(reason == 0 ? "" : ": " + errorText(CInt(reason)))",
                remedy:
                    "Is the machine on, and does a firewall let the port through? To try it: ping \(address.host.quotedForShell)",
                EX_TEMPFAIL)
        case CURLE_SSL_PINNEDPUBKEYNOTMATCH:
            return failed(
                "its key has another fingerprint: it was made anew, or this is another machine",
                remedy:
                    "On the hub, counter-hub certificate prints the fingerprint. If it was made anew, change the address here.",
                EX_NOPERM)
        case CURLE_PEER_FAILED_VERIFICATION: return certificateFailure()
        case CURLE_SSL_CONNECT_ERROR:
            return failed(
                "what listens at this port speaks no TLS",
                remedy: "Compare the port. Is it a hub without a certificate?")
        case CURLE_WEIRD_SERVER_REPLY, CURLE_UNSUPPORTED_PROTOCOL: return noHub("speaks no HTTP")
        // A server for TLS closes what begins otherwise.
        case _
        where !address.isSecure && status == 0
            && [CURLE_GOT_NOTHING, CURLE_RECV_ERROR, CURLE_SEND_ERROR].contains(result):
            return noHub("ends the connection without an answer")
        default:
            return failed(
                "the connection has ended: \(String(cString: curl_easy_strerror(result)))",
                remedy: "\(Self.hubRemedy)\n\(Self.proxyRemedy)", EX_TEMPFAIL)
        }
    }

    /// Why its certificate is not trusted, by the result of OpenSSL; see X509_STORE_CTX_get_error(3).
    private func certificateFailure() -> ProgramError {
        // 1 is what libcurl sets before the chain is looked at, which comes after the name.
        let isNotYetValid = 9, hasExpired = 10, ofAnotherName = 0...1
        let now = Timestamp(microseconds: Clock.realtime.microseconds).iso8601
        switch ccurl_number(handle, CURLINFO_SSL_VERIFYRESULT) {
        case isNotYetValid:
            return failed(
                "its certificate is not valid yet by this machine's clock, which says \(now)",
                remedy: "Set the clock by the network: timedatectl set-ntp true", EX_NOPERM)
        case hasExpired:
            return failed(
                "its certificate has expired by this machine's clock, which says \(now)",
                remedy:
                    "If the clock is right, renew the certificate on the hub, and there: systemctl reload counter-hub",
                EX_NOPERM)
        case ofAnotherName:
            return failed(
                "its certificate is for another name than '\(address.host)'",
                remedy:
                    "Use the name of the certificate, or the fingerprint that counter-hub certificate prints on the hub.",
                EX_NOPERM)
        default:
            return failed(
                "its certificate is of no known authority",
                remedy:
                    "If it is the hub's own, name its fingerprint, which counter-hub certificate prints there:\n"
                    + "counter sync \(address.name)#sha256=FINGERPRINT",
                EX_NOPERM)
        }
    }
}
