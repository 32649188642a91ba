package import NewsflashCertificates
import NewsflashHTTPServer
import NewsflashTimestamps

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

/// The HTTPS settings of an emulated hub.
package struct HubTLS: Sendable {
    /// The origin of the certificate.
    package enum Source: Sendable {
        /// The hub's own CA, for localhost, the loopback addresses and these names. The CA is stored in a folder; if that is
        /// `nil`, the CA exists only in memory.
        case ownAuthority(names: [CertificateName], folder: String?)
        /// A given certificate.
        case given(ServerCertificate)
    }

    /// The address to listen on.
    package var host: String
    /// The port to listen on; zero selects a free one.
    package var port: UInt16
    /// The origin of the certificate.
    package var source: Source

    /// Creates the settings.
    ///
    /// - Parameters:
    ///   - host: The address to listen on.
    ///   - port: The port to listen on; zero selects a free one.
    ///   - source: The origin of the certificate.
    package init(host: String = "127.0.0.1", port: UInt16 = 0, source: Source = .ownAuthority(names: [], folder: nil)) {
        self.host = host
        self.port = port
        self.source = source
    }

    /// The requested names of the certificate, which browsers may use as host names of the hub.
    var names: [String] {
        if case .ownAuthority(let names, _) = source { names.map(\.description) } else { [] }
    }
}
