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
        for field in headers.fields {
            let name = field.name.lowercased()
            guard !name.isEmpty, name.utf8.allSatisfy({ $0.isTokenCharacter }) else {
                throw HubMessageError(.invalidHeader, "a header's name has characters that none has")
            }
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

extension UInt8 {
    /// What a header's name may have (RFC 9110, section 5.6.2).
    fileprivate var isTokenCharacter: Bool {
        switch self {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"): true
        case UInt8(ascii: "!"), UInt8(ascii: "#"), UInt8(ascii: "$"), UInt8(ascii: "%"), UInt8(ascii: "&"),
            UInt8(ascii: "'"), UInt8(ascii: "*"), UInt8(ascii: "+"), UInt8(ascii: "-"), UInt8(ascii: "."),
            UInt8(ascii: "^"), UInt8(ascii: "_"), UInt8(ascii: "`"), UInt8(ascii: "|"), UInt8(ascii: "~"):
            true
        default: isDigit
        }
    }
}
