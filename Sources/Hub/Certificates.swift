import CNIOBoringSSL
import Glibc
package import Linux
import NIOSSL

/// A certificate and its key, in PEM.
package struct CertificateFiles {
    package let certificate: String
    package let key: String

    package init(certificate: String, key: String) { (self.certificate, self.key) = (certificate, key) }

    /// Where `make` puts them.
    package init(directory: String) {
        self.init(certificate: "\(directory)/hub-certificate.pem", key: "\(directory)/hub-key.pem")
    }

    /// What TLS needs of them, read anew.
    func context() throws(ProgramError) -> NIOSSLContext {
        let chain = try load(certificate, as: "certificate") {
            try NIOSSLCertificate.fromPEMFile(certificate)
        }
        let privateKey = try load(key, as: "key") { try NIOSSLPrivateKey(file: key, format: .pem) }
        var configuration = TLSConfiguration.makeServerConfiguration(
            certificateChain: chain.map { .certificate($0) }, privateKey: .privateKey(privateKey))
        configuration.minimumTLSVersion = .tlsv12
        configuration.applicationProtocols = ["http/1.1"]
        return try load(certificate, as: "certificate with this key") {
            try NIOSSLContext(configuration: configuration)
        }
    }

    private func load<Value>(_ path: String, as what: String, _ body: () throws -> Value) throws(ProgramError)
        -> Value
    {
        // The library does not say why it cannot read a file.
        let text = try TextFile(path: path, name: path).text
        do { return try body() } catch {
            if text.contains("ENCRYPTED") { throw Self.locked(path) }
            throw ProgramError(
                "\(path): is no \(what) in PEM: \(error)", remedy: "To make one: counter-hub certificate",
                status: EX_DATAERR)
        }
    }

    /// The key is encrypted, by PKCS #8 or by the older way of OpenSSL.
    private static func locked(_ path: String) -> ProgramError {
        let name = path.quotedForShell
        return ProgramError(
            "\(path): the key needs a password, which nobody can type when the hub starts",
            remedy: "Take it off: openssl pkey -in \(name) -out NEW && chmod 600 NEW && mv NEW \(name)",
            status: EX_DATAERR)
    }

    /// The SHA-256 of the public key (SubjectPublicKeyInfo in DER), as doors pin it: a certificate that is renewed with the same key has
    /// the same one, and curl takes it too, as --pinnedpubkey.
    package func fingerprint() throws(ProgramError) -> String {
        let bytes = try load(certificate, as: "certificate") {
            try NIOSSLCertificate.fromPEMFile(certificate).first?.extractPublicKey().toSPKIBytes() ?? []
        }
        return sha256(bytes).hexadecimal
    }

    /// Makes a key, or takes the one that is there, and a certificate that it has signed itself, for ten years: doors know it by its
    /// fingerprint, and not by its time.
    package func make(for names: [String], withOldKey: Bool) throws(ProgramError) {
        if let name = names.first(where: { !Self.isHost($0) }) {
            throw ProgramError(
                "'\(name)' is no name of a machine, and no address",
                remedy: "Such as hub.local, or 192.0.2.7; other letters as xn--…, which idn2 prints.",
                status: EX_USAGE)
        }
        let old = withOldKey ? try TextFile(path: key, name: key).text : nil
        guard let pair = OwnCertificate.key(old) else {
            if old?.contains("ENCRYPTED") == true { throw Self.locked(key) }
            throw ProgramError(
                "\(key): is no key in PEM", remedy: "To make both anew: --force",
                status: EX_DATAERR)
        }
        defer { EVP_PKEY_free(pair) }
        guard let certificateText = OwnCertificate.text(for: names, key: pair),
            let keyText = OwnCertificate.text(ofKey: pair)
        else {
            throw ProgramError(
                "no certificate can be made for \(names.joined(separator: ", "))", status: EX_SOFTWARE)
        }
        do throws(SystemCallError) {
            // A file that is new gets mode 0600.
            if old == nil { try TextFile.replace(key, by: keyText) }
            try TextFile.replace(certificate, by: certificateText)
        } catch {
            throw ProgramError("\(error.subject): cannot be written: \(error.reason)", status: EX_CANTCREAT)
        }
    }

    private static func isHost(_ name: String) -> Bool {
        !name.isEmpty
            && name.allSatisfy { $0.isASCII && ($0.isLetter || $0.isNumber || "-.:*_".contains($0)) }
    }
}

/// A key on the curve P-256, or any that is given, and its certificate; see RFC 5280.
private enum OwnCertificate {
    private static let years = 10

    private static func newKey() -> OpaquePointer? {
        let (key, curve) = (EVP_PKEY_new(), EC_KEY_new_by_curve_name(NID_X9_62_prime256v1))
        guard EC_KEY_generate_key(curve) == 1, EVP_PKEY_assign_EC_KEY(key, curve) == 1 else { return nil }
        return key
    }

    /// That of a text, or a new one; nil where the text is none in PEM, or needs a password.
    static func key(_ old: String?) -> OpaquePointer? {
        guard var old else { return newKey() }
        return old.withUTF8 { bytes in
            let memory = BIO_new_mem_buf(bytes.baseAddress, bytes.count)
            defer { BIO_free(memory) }
            return PEM_read_bio_PrivateKey(memory, nil, { _, _, _, _ in 0 }, nil)
        }
    }

    /// The certificate of a key; nil where there can be none for these names.
    static func text(for names: [String], key: OpaquePointer) -> String? {
        let certificate = X509_new()
        defer { X509_free(certificate) }
        X509_set_version(certificate, 2)
        ASN1_INTEGER_set_uint64(X509_get_serialNumber(certificate), .random(in: 1...(.max >> 1)))
        X509_gmtime_adj(X509_getm_notBefore(certificate), -86_400)
        X509_gmtime_adj(X509_getm_notAfter(certificate), years * 365 * 86_400)
        let name = X509_get_subject_name(certificate)
        let common = Array(names[0].utf8)
        X509_NAME_add_entry_by_txt(name, "CN", MBSTRING_UTF8, common, common.count, -1, 0)
        X509_set_issuer_name(certificate, name)
        X509_set_pubkey(certificate, key)
        let alternatives = names.map { "\($0.isIPAddress ? "IP" : "DNS"):\($0)" }.joined(separator: ",")
        for (id, value) in [
            (NID_subject_alt_name, alternatives), (NID_basic_constraints, "critical,CA:FALSE"),
            (NID_ext_key_usage, "serverAuth"),
        ] {
            let part = X509V3_EXT_nconf_nid(nil, nil, id, value)
            defer { X509_EXTENSION_free(part) }
            guard part != nil, X509_add_ext(certificate, part, -1) == 1 else { return nil }
        }
        guard X509_sign(certificate, key, EVP_sha256()) != 0 else { return nil }
        return text { PEM_write_bio_X509($0, certificate) }
    }

    static func text(ofKey key: OpaquePointer) -> String? {
        text { PEM_write_bio_PKCS8PrivateKey($0, key, nil, nil, 0, nil, nil) }
    }

    private static func text(_ write: (OpaquePointer?) -> CInt) -> String? {
        let memory = BIO_new(BIO_s_mem())
        defer { BIO_free(memory) }
        guard write(memory) == 1 else { return nil }
        var (start, count): (UnsafePointer<UInt8>?, Int) = (nil, 0)
        guard BIO_mem_contents(memory, &start, &count) == 1 else { return nil }
        return String(decoding: UnsafeBufferPointer(start: start, count: count), as: UTF8.self)
    }
}
