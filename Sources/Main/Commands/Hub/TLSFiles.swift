import Certificates
import Timestamps

/// Reads certificates for HTTPS and prints how to trust the authority of `newsflash hub`.
enum TLSFiles {
    /// Reads a certificate and its key.
    ///
    /// - Parameters:
    ///   - certificate: A file in PEM.
    ///   - key: A file in PEM.
    /// - Returns: The certificate, which matches the key and is in force.
    /// - Throws: ``CommandError`` with exit code 78 and the name of the file.
    static func certificate(_ certificate: String, key: String) throws(CommandError) -> ServerCertificate {
        let shown = try content(of: certificate)
        let secret = try content(of: key)
        do throws(CertificateError) {
            return try ServerCertificate(certificate: shown, key: secret, now: .now())
        } catch {
            let (file, remedy) =
                switch error.code {
                case .notAKey: (key, "give the key in PEM; 'openssl pkey' removes a passphrase")
                case .otherKey: (key, "give the key that \(certificate) was made for")
                case .expired: (certificate, "renew it")
                default: (certificate, "give the server's own certificate first, in PEM")
                }
            throw CommandError(
                .badConfiguration,
                "cannot use \(file): \(error.message); \(remedy) [\(error.code.rawValue)]"
            )
        }
    }

    private static func content(of file: String) throws(CommandError) -> [UInt8] {
        do throws(CertificateError) {
            if let content = try AuthorityFiles.read(file) { return content }
        } catch {
            throw CommandError(.badConfiguration, error.description)
        }
        throw CommandError(.badConfiguration, "\(file) cannot be read: there is no such file")
    }

    /// Instructions for trusting the authority of a hub in different clients.
    ///
    /// - Parameters:
    ///   - url: The HTTPS URL of the hub.
    ///   - folder: The folder with the authority; `nil` if it is only in memory.
    /// - Returns: Lines of at most 120 characters if the folder's name is short.
    static func advice(url: String, folder: String?) -> [String] {
        let file = folder.map { "\($0)/\(AuthorityFiles.certificateName)" } ?? AuthorityFiles.certificateName
        let first =
            folder == nil
            ? "HTTPS uses a certificate authority that exists only while this hub runs (--data keeps it). Get it with\n"
                + "  curl -k -o \(file) \(url)/_emulator/authority"
            : "HTTPS uses the certificate authority in \(file)."
        return [
            first, "It is valid for the names of this hub only. Trust it on this machine only, and only for yourself:",
            "  curl        --cacert \(file)",
            "  JavaScript  NODE_EXTRA_CA_CERTS=\(file)",
            "  Python      SSL_CERT_FILE=\(file), for requests REQUESTS_CA_BUNDLE=\(file)",
            "  .NET        SSL_CERT_FILE=\(file) on Linux; certutil -user -addstore Root \(file) on Windows;",
            "              security add-trusted-cert -k login.keychain-db \(file) on macOS",
            "  iOS         xcrun simctl keychain booted add-root-cert \(file) for the simulator",
            "  Java        keytool -importcert -noprompt -alias newsflash -file \(file)",
            "              -keystore hub.p12 -storepass hub-trust,",
            "              then -Djavax.net.ssl.trustStore=hub.p12 -Djavax.net.ssl.trustStorePassword=hub-trust",
            "  newsflash   delivery.caFile: \(file)",
        ]
    }
}
