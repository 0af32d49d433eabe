import Glibc
import TestSupport
import Testing

/// TLS with a certificate of one's own.
@Suite struct TLSTests {
    /// A hub with a certificate, and the fingerprint that the program has printed.
    private func hub() throws -> (hub: TestHub, fingerprint: String, folder: ScratchFolder) {
        let folder = try ScratchFolder()
        let fingerprint = try TestHub.certificate(in: folder)
        return (try TestHub(TestHub.tls(folder)), fingerprint, folder)
    }

    /// What curl says of the hub, trusting its certificate only.
    private func curl(
        _ hub: TestHub, _ folder: ScratchFolder, _ path: String = "/healthz", _ options: String...
    ) throws -> ChildProcess.Outcome {
        try ChildProcess.run(
            ["curl", "-sS", "--cacert", folder.path(of: "hub-certificate.pem")] + options
                + [hub.url(path, scheme: "https")])
    }

    @Test func `A client that knows the certificate is served, and nobody without TLS`() throws {
        let (hub, fingerprint, folder) = try hub()
        #expect(try curl(hub, folder).output == "ok\n")
        #expect(try curl(hub, folder, "/healthz", "--tls-max", "1.1").status != .exited(0))
        let path = folder.path(of: "hub-certificate.pem")
        let key = try ChildProcess.run([
            "sh", "-c",
            "openssl x509 -in '\(path)' -noout -pubkey | openssl pkey -pubin -outform der | sha256sum",
        ]).output
        #expect(fingerprint == "sha256=\(key.prefix(64))")
        var status = stat()
        #expect(stat(folder.path(of: "hub-key.pem"), &status) == 0 && status.st_mode & 0o777 == 0o600)
        #expect(!(try hub.exchange("GET /healthz HTTP/1.1\r\nHost: h\r\n\r\n")).contains("200"))
    }

    @Test func `A certificate that is made again keeps the key, and so the fingerprint`() throws {
        let folder = try ScratchFolder()
        let fingerprint = try TestHub.certificate(in: folder)
        #expect(unlink(folder.path(of: "hub-certificate.pem")) == 0)
        #expect(try TestHub.certificate(in: folder, "hub.local") == fingerprint)
        #expect(unlink(folder.path(of: "hub-key.pem")) == 0)
        func refused(_ words: String...) throws -> ChildProcess.Outcome {
            try TestHub.run(["certificate", "--data-dir", folder.path] + words)
        }
        let missing = try refused()
        #expect(missing.status == .exited(66) && missing.errors.contains("hub-key.pem: is missing"))
        #expect(try refused("--force", "a b").status == .exited(64))
        #expect(try TestHub.certificate(in: folder, "--force") != fingerprint)
    }

    @Test(arguments: ["pkey", "ec -traditional"])
    func `A key with a password is told as one`(form: String) throws {
        let folder = try ScratchFolder()
        _ = try TestHub.certificate(in: folder)
        let (key, certificate) = (folder.path(of: "hub-key.pem"), folder.path(of: "hub-certificate.pem"))
        let line =
            "openssl \(form) -in '\(key)' -aes256 -passout pass:secret -out '\(key).new' && mv '\(key).new' '\(key)'"
        #expect(try ChildProcess.run(["sh", "-c", line]).status == .exited(0))
        let place = try Workplace()
        let start = try TestHub.run(["--listen", "127.0.0.1:0"] + TestHub.tls(folder), in: place)
        #expect(start.status == .exited(65) && start.errors.contains("needs a password"), "\(start.errors)")
        #expect(start.errors.contains("openssl pkey -in"))
        #expect(unlink(certificate) == 0)
        let made = try TestHub.run(["certificate", "--data-dir", folder.path])
        #expect(made.status == .exited(65) && made.errors.contains("needs a password"))
    }

    @Test func `SIGHUP has it read a new certificate, and a bad one changes nothing`() throws {
        let (hub, fingerprint, folder) = try hub()
        #expect(try TestHub.certificate(in: folder) == fingerprint)
        try folder.write("hub-certificate.pem", "nonsense")
        try hub.program.signal(SIGHUP)
        let said = try #require(try hub.program.readErrorLine())
        #expect(said.contains("hub-certificate.pem"))
        #expect(try TestHub.certificate(in: folder, "--force") != fingerprint)
        #expect(try curl(hub, folder).status != .exited(0))
        try hub.program.signal(SIGHUP)
        try eventually("the new certificate") { try curl(hub, folder).output == "ok\n" }
    }

    @Test func `A slow reader is cut off at once under TLS too`() throws {
        let (hub, _, folder) = try hub()
        let reader = try ChildProcess([
            "curl", "-sSN", "--cacert", folder.path(of: "hub-certificate.pem"), "-H",
            "Authorization: Bearer \(hub.admin)",
            hub.url("/v1/live", scheme: "https"),
        ])
        try reader.skipOutput(past: ": counter-hub")
        try reader.signal(SIGSTOP)
        try eventually("the reader to be cut off") {
            for _ in 0..<20 { try hub.place.run("add", "100", "--location", "Hall") }
            let metrics = try curl(hub, folder, "/metrics", "-H", "Authorization: Bearer \(hub.admin)").output
            return metrics.contains("counter_hub_slow_readers_total 1\n")
                && metrics.contains("counter_hub_live_readers 0\n")
        }
        try reader.signal(SIGCONT)
    }
}
