import NewsflashTestSupport

/// A TLS server of OpenSSL that answers every request with a page about the connection.
final class TLSServer: Sendable {
    let port: UInt16
    private let program: LeashedProgram

    init(_ certificate: Certificate) async throws {
        let files = ["-cert", certificate.certificateFile, "-key", certificate.keyFile]
        program = try await LeashedProgram(
            [Certificate.program, "s_server", "-accept", "127.0.0.1:0", "-www"] + files
        )
        let address = try await program.line(after: "ACCEPT ")
        guard let port = address.split(separator: ":").last.flatMap({ UInt16($0) }) else {
            throw ChildProcess.Failure(description: "no port in \(address)")
        }
        self.port = port
    }

    deinit {
        program.end()
    }
}
