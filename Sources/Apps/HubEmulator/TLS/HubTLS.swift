package import Certificates

/// How an emulated hub speaks HTTPS.
package struct HubTLS: Sendable {
    /// Where its certificate comes from.
    package enum Source: Sendable {
        /// From an authority of its own, for localhost, the loopback addresses and these names. The authority is kept in a
        /// folder, or lives as long as the hub where none is named.
        case ownAuthority(names: [CertificateName], folder: String?)
        /// From somebody else.
        case given(ServerCertificate)
    }

    /// The address to listen on.
    package var host: String
    /// The port to listen on; zero takes a free one.
    package var port: UInt16
    /// Where the certificate comes from.
    package var source: Source

    /// Makes the setting.
    ///
    /// - Parameters:
    ///   - host: The address to listen on.
    ///   - port: The port to listen on; zero takes a free one.
    ///   - source: Where the certificate comes from.
    package init(host: String = "127.0.0.1", port: UInt16 = 0, source: Source = .ownAuthority(names: [], folder: nil)) {
        self.host = host
        self.port = port
        self.source = source
    }

    /// What its certificate was asked to name, for those who call the hub so in a browser.
    var names: [String] {
        if case .ownAuthority(let names, _) = source { names.map(\.description) } else { [] }
    }
}
