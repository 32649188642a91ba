package import Certificates

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
