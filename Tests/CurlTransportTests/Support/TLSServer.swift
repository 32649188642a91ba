/// A TLS server of OpenSSL that answers every request with a page about the connection.
final class TLSServer {
    let port: UInt16
    private let child: ChildProcess

    init(_ certificate: Certificate) throws {
        let files = ["-cert", certificate.certificateFile, "-key", certificate.keyFile]
        child = try ChildProcess(Certificate.program, ["s_server", "-accept", "127.0.0.1:0", "-www"] + files)
        var port: UInt16?
        while port == nil, let line = child.readLine() {
            if line.hasPrefix("ACCEPT ") { port = line.split(separator: ":").last.flatMap { UInt16($0) } }
        }
        guard let port else { throw ChildProcess.Failure(program: Certificate.program) }
        self.port = port
    }

    deinit {
        child.stop()
    }
}
