import Signing

/// A token that lets its bearer use a resource for a while: the value of `Authorization`.
///
/// `SharedAccessSignature sr=<resource>&sig=<code>&se=<end>&skn=<policy>`
///
/// The code covers the resource exactly as it is written in the header. Every SDK writes another resource (scheme, case of
/// the escapes, with or without the query, whole namespace or full path), so one who verifies must take `sr` literally.
public struct SharedAccessSignature: Sendable, Equatable {
    /// The resource URI as in `sr`, percent-encoded.
    public let resource: String
    /// The code: the bytes behind `sig`.
    let code: [UInt8]
    /// The end of its life: `se`, in seconds since 1970.
    public let expiry: Int64
    /// The names of policies that `skn` can mean, the likelier first: .NET writes a blank as `+`, others mean a plus.
    public let keyNames: [String]

    /// Signs a resource.
    ///
    /// - Parameters:
    ///   - resource: Percent-encoded already, as it shall stand in `sr`; see ``resource(forURL:)``.
    ///   - expiry: Seconds since 1970.
    ///   - keyName: The policy's name.
    ///   - key: The policy's key.
    public init(resource: String, expiry: Int64, keyName: String, key: SharedAccessKey) {
        self.resource = resource
        self.code = key.signature(resource: resource, expiry: expiry)
        self.expiry = expiry
        self.keyNames = [keyName]
    }

    init(resource: String, code: [UInt8], expiry: Int64, keyNames: [String]) {
        self.resource = resource
        self.code = code
        self.expiry = expiry
        self.keyNames = keyNames
    }

    /// The resource of a URL as this library signs it: lower case, percent-encoded with lower-case digits.
    ///
    /// - Parameter url: Without a query; a token for a shorter path is good for all longer ones.
    /// - Returns: What stands in `sr`.
    public static func resource(forURL url: String) -> String {
        PercentEncoding.encode(url.lowercased())
    }

    /// The value for the header `Authorization`.
    public var headerValue: String {
        "SharedAccessSignature sr=\(resource)&sig=\(PercentEncoding.encode(Base64.encode(code)))"
            + "&se=\(expiry)&skn=\(PercentEncoding.encode(keyNames.first ?? ""))"
    }
}

extension SharedAccessSignature: CustomStringConvertible, CustomReflectable {
    /// Without the code.
    public var description: String {
        "SharedAccessSignature sr=\(resource)&sig=<redacted>&se=\(expiry)&skn=\(keyNames.first ?? "")"
    }

    /// Without the code.
    public var customMirror: Mirror { Mirror(self, children: ["resource": resource, "expiry": expiry]) }
}
