import Signing

/// A token that grants access to a resource for a limited time: the value of `Authorization`.
///
/// `SharedAccessSignature sr=<resource>&sig=<code>&se=<end>&skn=<policy>`
///
/// The code covers the resource exactly as written in the header. The SDKs write it differently (scheme, case of the escapes,
/// with or without the query, whole namespace or full path), so verification must use `sr` literally.
public struct SharedAccessSignature: Sendable, Equatable {
    /// The resource URI as in `sr`, percent-encoded.
    public let resource: String
    /// The code: the decoded bytes of `sig`.
    let code: [UInt8]
    /// The expiry: `se`, in seconds since 1970.
    public let expiry: Int64
    /// The possible policy names in `skn`, the likelier first: .NET encodes a blank as `+`, other SDKs use `+` for a plus.
    public let keyNames: [String]

    /// Signs a resource.
    ///
    /// - Parameters:
    ///   - resource: The resource as in `sr`, already percent-encoded; see ``resource(forURL:)``.
    ///   - expiry: The expiry, in seconds since 1970.
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

    /// Returns the resource of a URL as this library signs it: in lower case, percent-encoded with lower-case digits.
    ///
    /// - Parameter url: The URL without a query. A token for a path is valid for all paths below it.
    /// - Returns: The value of `sr`.
    public static func resource(forURL url: String) -> String {
        PercentEncoding.encode(url.lowercased())
    }

    /// The value of the header `Authorization`.
    public var headerValue: String {
        "SharedAccessSignature sr=\(resource)&sig=\(PercentEncoding.encode(Base64.encode(code)))"
            + "&se=\(expiry)&skn=\(PercentEncoding.encode(keyNames.first ?? ""))"
    }
}

extension SharedAccessSignature: CustomStringConvertible, CustomReflectable {
    /// The token without the code.
    public var description: String {
        "SharedAccessSignature sr=\(resource)&sig=<redacted>&se=\(expiry)&skn=\(keyNames.first ?? "")"
    }

    /// The token without the code.
    public var customMirror: Mirror { Mirror(self, children: ["resource": resource, "expiry": expiry]) }
}
