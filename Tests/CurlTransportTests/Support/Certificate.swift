import NewsflashTestSupport

/// A self-signed certificate for 127.0.0.1 with its key, in a folder that is removed with it.
final class Certificate: Sendable {
    static let program = "/usr/bin/openssl"

    let folder: TemporaryFolder
    var certificateFile: String { folder.file("certificate.pem") }
    var keyFile: String { folder.file("key.pem") }

    init() async throws {
        folder = try TemporaryFolder()
        try await ChildProcess.run([
            Self.program, "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256", "-nodes", "-days",
            "2", "-keyout", folder.file("key.pem"), "-out", folder.file("certificate.pem"), "-subj",
            "/CN=newsflash test", "-addext", "subjectAltName=IP:127.0.0.1", "-batch",
        ])
    }
}
