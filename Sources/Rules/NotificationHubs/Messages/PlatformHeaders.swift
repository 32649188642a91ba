import HTTPTransport

/// Checks the headers that a message brings along.
enum PlatformHeaders {
    /// Set by the client or by the transport, or of a meaning that a message must not change.
    private static let reserved: Set<String> = [
        "authorization", "connection", "content-encoding", "content-length", "content-type", "cookie", "expect", "host",
        "proxy-authorization", "te", "trackingid", "trailer", "transfer-encoding", "upgrade", "user-agent",
    ]
    private static let hubPrefix = "servicebusnotification-"
    private static let apnsExpiry = "servicebusnotification-apns-expiry"

    static func check(_ headers: HTTPHeaders) throws(HubMessageError) {
        switch headers.soundness {
        case .sound: break
        case .brokenName: throw HubMessageError(.invalidHeader, "a header's name has characters that none has")
        case .brokenValue(lineAt: var start):
            let name = headers.nextLine(at: &start).map { headers.text($0.name) } ?? ""
            throw HubMessageError(.invalidHeader, "the value of the header \(name) is not plain ASCII")
        }
        for field in headers {
            let name = field.name.lowercased()
            guard !reserved.contains(name), !name.hasPrefix(hubPrefix) || name == apnsExpiry else {
                throw HubMessageError(.invalidHeader, "the header \(field.name) is the client's to set")
            }
            // Visible ASCII only: what else a hub makes of it, and passes on, is not documented.
            guard field.value.utf8.allSatisfy({ (0x20...0x7E).contains($0) || $0 == 0x09 }) else {
                throw HubMessageError(.invalidHeader, "the value of the header \(field.name) is not plain ASCII")
            }
        }
    }
}
