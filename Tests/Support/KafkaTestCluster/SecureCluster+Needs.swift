import TestSupport

extension SecureCluster {
    /// Whether the openssl program is installed, which makes the certificates.
    package static let canMakeCertificates = isInstalled("openssl")
}
