/// The address of a namespace and the key that signs its tokens, as shown in the portal.
///
/// `Endpoint=sb://newsdesk.servicebus.windows.net/;SharedAccessKeyName=SendOnly;SharedAccessKey=…`
///
/// Parts may be in any order, with white space around them and a trailing `;`; their names ignore case. A repeated part is an
/// error. Parts that a hub does not need (`EntityPath`, `TransportType` of other services' strings) are ignored: the hub's
/// name is a parameter of the client, and required parts are checked. `SharedAccessSignature=` in place of a key is refused,
/// because no SDK of Notification Hubs accepts it and a ready-made token expires within an hour.
///
/// With `UseDevelopmentEmulator=true`, `sb://` means plain HTTP; `http://` is allowed too.
///
/// ```swift
/// let connection = try HubConnectionString(connectionString)
/// print(connection.endpointURL, connection.keyName)
/// ```
public struct HubConnectionString: Sendable, Equatable, CustomStringConvertible {
    /// The maximum number of characters in a key and in its name.
    public static let maximumKeyLength = 256

    /// The address of the namespace.
    package let endpoint: HubEndpoint
    /// The name of the key's policy.
    public let keyName: String
    /// The key; not contained in the description.
    package let key: SharedAccessKey
    /// Whether the connection string is for an emulator.
    public let usesDevelopmentEmulator: Bool

    /// Parses a connection string.
    ///
    /// - Parameter text: The whole string.
    /// - Throws: ``HubValueError``, which names the part but not its value.
    public init(_ text: String) throws(HubValueError) {
        try self.init(parts: try Self.parts(of: text))
    }

    private init(parts: [String: String]) throws(HubValueError) {
        if parts["sharedaccesssignature"] != nil {
            throw .invalid("SharedAccessSignature", "is not supported: use SharedAccessKeyName and SharedAccessKey")
        }
        switch parts["usedevelopmentemulator"]?.lowercased() {
        case nil, "false": self.usesDevelopmentEmulator = false
        case "true": self.usesDevelopmentEmulator = true
        default: throw .invalid("UseDevelopmentEmulator", "must be true or false")
        }
        self.endpoint = try HubEndpoint(
            try Self.required("Endpoint", in: parts),
            isEmulator: usesDevelopmentEmulator
        )
        self.keyName = try Self.required("SharedAccessKeyName", in: parts, maximumLength: Self.maximumKeyLength)
        self.key = SharedAccessKey(
            try Self.required("SharedAccessKey", in: parts, maximumLength: Self.maximumKeyLength)
        )
    }

    /// Creates a connection string from its parts, for example from separate secrets.
    ///
    /// ```swift
    /// let connection = try HubConnectionString(
    ///     endpoint: "https://newsdesk.servicebus.windows.net",
    ///     keyName: "SendOnly",
    ///     key: "c2VjcmV0"
    /// )
    /// ```
    ///
    /// - Parameters:
    ///   - endpoint: The URL of the namespace: `sb://`, `https://`, or `http://` for an emulator, then a host and an optional
    ///     port.
    ///   - keyName: The name of the key's policy.
    ///   - key: The key as shown in the portal.
    /// - Throws: ``HubValueError``, which names the part but not its value.
    public init(endpoint: String, keyName: String, key: String) throws(HubValueError) {
        for (name, value) in [("SharedAccessKeyName", keyName), ("SharedAccessKey", key)] where value.contains(";") {
            throw .invalid(name, "contains ;")
        }
        let parts = ["endpoint": endpoint, "sharedaccesskeyname": keyName, "sharedaccesskey": key]
        try self.init(parts: parts)
    }

    /// The address of the namespace as a URL without a trailing slash, for example
    /// `https://newsdesk.servicebus.windows.net`.
    public var endpointURL: String { endpoint.url }

    /// The connection string with `<redacted>` as its key.
    public var description: String { text(key: "<redacted>") }

    /// The connection string with its key, for a secrets file or a client; never log it.
    public var textWithKey: String { text(key: key.secretText) }

    private func text(key: String) -> String {
        "Endpoint=\(endpoint.url)/;SharedAccessKeyName=\(keyName);SharedAccessKey=\(key)"
            + (usesDevelopmentEmulator ? ";UseDevelopmentEmulator=true" : "")
    }

    /// Splits the string into its parts: values by lower-case name.
    private static func parts(of text: String) throws(HubValueError) -> [String: String] {
        var parts: [String: String] = [:]
        for (index, piece) in text.utf8.split(separator: UInt8(ascii: ";"), omittingEmptySubsequences: false)
            .enumerated()
        {
            let part = trimmed(piece)
            if part.isEmpty { continue }
            // The error does not show the part, because it may be the rest of a split key.
            guard let equals = part.firstIndex(of: UInt8(ascii: "=")) else {
                throw HubValueError(
                    .connectionStringSyntax,
                    "part \(index + 1) of the connection string has no =; parts must be Name=Value, separated by ;",
                    at: "part \(index + 1)"
                )
            }
            let name = String(decoding: trimmed(part[..<equals]), as: UTF8.self)
            let value = String(decoding: trimmed(part[part.index(after: equals)...]), as: UTF8.self)
            guard parts.updateValue(value, forKey: name.lowercased()) == nil else {
                throw HubValueError(
                    .connectionStringDuplicatePart,
                    "\(shown(name, index)) is repeated in the connection string",
                    at: shown(name, index)
                )
            }
        }
        return parts
    }

    /// Returns a part's name for error messages. An unknown name is not shown, because it may be a piece of the key.
    private static func shown(_ name: String, _ index: Int) -> String {
        let known = ["Endpoint", "SharedAccessKeyName", "SharedAccessKey", "UseDevelopmentEmulator", "EntityPath"]
        return known.first { $0.lowercased() == name.lowercased() } ?? "part \(index + 1)"
    }

    private static func required(
        _ name: String,
        in parts: [String: String],
        maximumLength: Int = .max
    ) throws(HubValueError) -> String {
        guard let value = parts[name.lowercased()], !value.isEmpty else {
            throw HubValueError(.connectionStringMissingPart, "\(name) is missing in the connection string", at: name)
        }
        guard value.unicodeScalars.count <= maximumLength else {
            throw .invalid(name, "has more than \(maximumLength) characters")
        }
        return value
    }

    private static func trimmed(_ bytes: Substring.UTF8View) -> Substring.UTF8View {
        let fromFirst = bytes.drop { $0.isWhiteSpace }
        guard let last = fromFirst.lastIndex(where: { !$0.isWhiteSpace }) else { return fromFirst }
        return fromFirst[...last]
    }
}

extension HubValueError {
    /// The error for the value of a part of a connection string.
    static func invalid(_ part: String, _ problem: String) -> HubValueError {
        HubValueError(.connectionStringInvalidPart, "\(part) of the connection string \(problem)", at: part)
    }
}
