import Certificates
import HTTPServer
import Timestamps

/// The servers of a hub that listens: one for plain HTTP, one for HTTPS, or both.
struct HubListening {
    var plain: HTTPServer?
    var secure: HTTPServer?
    /// What clients are told to trust, in PEM; nothing where there is no authority of the hub's own.
    var authority: [UInt8]?

    /// How many connections there may be in all.
    var maximumConnections: Int {
        (plain?.maximumConnections ?? 0) + (secure?.maximumConnections ?? 0)
    }

    func stop() async {
        await plain?.stop()
        await secure?.stop()
    }
}

extension HubTLS {
    /// Gets or makes the certificate.
    ///
    /// - Parameter now: The present instant.
    /// - Returns: What the server shows, and what clients are told to trust.
    /// - Throws: ``HTTPServerError`` that says what to do.
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

    /// What every certificate is for, where the hub listens, and what was asked for.
    private func allNames(_ asked: [CertificateName]) -> [CertificateName] {
        let everywhere = ["", "0.0.0.0", "::"]
        let own = ["localhost", "127.0.0.1", "::1"] + (everywhere.contains(host) ? [] : [host])
        var seen: Set<CertificateName> = []
        return (own.compactMap { CertificateName($0) } + asked).filter { seen.insert($0).inserted }
    }
}
