import Certificates
import CommandLineArguments
import HTTPServer
import HubEmulator

extension HubCommand {
    /// The settings for HTTPS; `nil` if the hub does not serve it.
    func tlsSetting(beside plain: ListenAddress) throws(ValidationError) -> HubTLS? {
        guard (tlsCertificate == nil) == (tlsKey == nil) else {
            throw ValidationError("'--tls-certificate' and '--tls-key' go together: give the files of both.")
        }
        guard tls || tlsListen != nil || tlsCertificate != nil else {
            guard tlsName.isEmpty else { throw ValidationError("'--tls-name' goes with '--tls' or '--tls-listen'.") }
            return nil
        }
        guard tlsCertificate == nil || tlsName.isEmpty else {
            throw ValidationError(
                "'--tls-name' is for the certificate that this program makes; yours has its own names."
            )
        }
        var address = plain
        if let tlsListen {
            guard let other = ListenAddress(tlsListen) else {
                throw ValidationError(
                    "'--tls-listen \(tlsListen)' is not an address: write host:port, such as 127.0.0.1:8443."
                )
            }
            guard other != plain || other.port == 0 else {
                throw ValidationError(
                    "'--tls-listen' needs a port other than that of '--listen'; for HTTPS there write '--tls' alone."
                )
            }
            address = other
        }
        var names: [CertificateName] = []
        for text in tlsName {
            guard let name = CertificateName(text) else {
                throw ValidationError("'--tls-name \(text)' is neither a host name nor an address; leave out the port.")
            }
            names.append(name)
        }
        return HubTLS(host: address.host, port: address.port, source: .ownAuthority(names: names, folder: data))
    }
}
