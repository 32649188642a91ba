#if canImport(Glibc)
import Glibc
#else
import Darwin
#endif

extension SecureCluster {
    /// Whether the openssl program is installed, which makes the certificates.
    package static let canMakeCertificates: Bool = {
        let path = getenv("PATH").map { String(cString: $0) } ?? ""
        return path.split(separator: ":").contains { access("\($0)/openssl", X_OK) == 0 }
    }()
}
