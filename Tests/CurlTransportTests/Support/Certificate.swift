import Glibc

/// A self-signed certificate for 127.0.0.1 with its key, in a folder that goes with it.
final class Certificate {
    static let program = "/usr/bin/openssl"

    let folder: String
    var certificateFile: String { folder + "/certificate.pem" }
    var keyFile: String { folder + "/key.pem" }

    init() throws {
        var template = Array("/tmp/newsflash-tls-XXXXXX".utf8CString)
        guard let folder = mkdtemp(&template) else { throw ChildProcess.Failure(program: "mkdtemp") }
        self.folder = String(cString: folder)
        try ChildProcess.run(
            Self.program,
            [
                "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256", "-nodes", "-days", "2",
                "-keyout", keyFile, "-out", certificateFile, "-subj", "/CN=newsflash test", "-addext",
                "subjectAltName=IP:127.0.0.1", "-batch",
            ]
        )
    }

    deinit {
        unlink(keyFile)
        unlink(certificateFile)
        rmdir(folder)
    }
}
