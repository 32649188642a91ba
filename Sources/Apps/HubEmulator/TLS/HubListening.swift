import Certificates
import HTTPServer
import Timestamps

/// The servers of a listening hub: for plain HTTP, for HTTPS, or both.
struct HubListening {
    var plain: HTTPServer?
    var secure: HTTPServer?
    /// The CA certificate that clients must trust, in PEM; `nil` if the hub has no CA of its own.
    var authority: [UInt8]?

    /// The maximum number of connections of both servers together.
    var maximumConnections: Int {
        (plain?.maximumConnections ?? 0) + (secure?.maximumConnections ?? 0)
    }

    func stop() async {
        await plain?.stop()
        await secure?.stop()
    }
}

extension HubTLS {
    /// Loads or creates the certificate.
    ///
    /// - Parameter now: The current time.
    /// - Returns: The server's certificate, and the CA certificate that clients must trust.
    /// - Throws: ``HTTPServerError`` with the action to take.
    func certificate(now: Timestamp) throws(HTTPServerError) -> (server: ServerCertificate, authority: [UInt8]?) {
        do throws(CertificateError) {
            switch source {
            case .given(let certificate): return (certificate, nil)
            case .ownAuthority(let names, let folder):
                let names = allNames(names)
                guard let folder else {
                    let authority = try CertificateAuthority(for: names, now: now)
                    return (try authority.vouch(for: names, now: now), authority.certificate)
                }
                return try AuthorityFiles.vouch(in: folder, for: names, now: now)
            }
        } catch {
            throw HTTPServerError(code: .certificate, message: "no certificate for HTTPS: \(error.message)")
        }
    }

    /// All names in the certificate: loopback, the address of the server, and the requested names.
    private func allNames(_ asked: [CertificateName]) -> [CertificateName] {
        let everywhere = ["", "0.0.0.0", "::"]
        let own = ["localhost", "127.0.0.1", "::1"] + (everywhere.contains(host) ? [] : [host])
        var seen: Set<CertificateName> = []
        return (own.compactMap { CertificateName($0) } + asked).filter { seen.insert($0).inserted }
    }
}
