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
public struct HubConnectionString: Sendable, Equatable, CustomStringConvertible {
    /// The maximum number of characters in a key and in its name.
    public static let maximumKeyLength = 256

    /// The address of the namespace.
    public let endpoint: HubEndpoint
    /// The name of the key's policy.
    public let keyName: String
    /// The key; not contained in the description.
    public let key: SharedAccessKey
    /// Whether the connection string is for an emulator.
    public let usesDevelopmentEmulator: Bool

    /// Parses a connection string.
    ///
    /// - Parameter text: The whole string.
    /// - Throws: ``HubConnectionStringError``, which names the part but not its value.
    public init(_ text: String) throws(HubConnectionStringError) {
        let parts = try Self.parts(of: text)
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

    /// The connection string with `<redacted>` as its key.
    public var description: String { text(key: "<redacted>") }

    /// The connection string with its key, for a secrets file or a client; never log it.
    public var textWithKey: String { text(key: key.secretText) }

    private func text(key: String) -> String {
        "Endpoint=\(endpoint.url)/;SharedAccessKeyName=\(keyName);SharedAccessKey=\(key)"
            + (usesDevelopmentEmulator ? ";UseDevelopmentEmulator=true" : "")
    }

    /// Splits the string into its parts: values by lower-case name.
    private static func parts(of text: String) throws(HubConnectionStringError) -> [String: String] {
        var parts: [String: String] = [:]
        for (index, piece) in text.utf8.split(separator: UInt8(ascii: ";"), omittingEmptySubsequences: false)
            .enumerated()
        {
            let part = trimmed(piece)
            if part.isEmpty { continue }
            // The error does not show the part, because it may be the rest of a split key.
            guard let equals = part.firstIndex(of: UInt8(ascii: "=")) else {
                throw HubConnectionStringError(
                    .syntax,
                    part: "part \(index + 1)",
                    "part \(index + 1) of the connection string has no =; parts must be Name=Value, separated by ;"
                )
            }
            let name = String(decoding: trimmed(part[..<equals]), as: UTF8.self)
            let value = String(decoding: trimmed(part[part.index(after: equals)...]), as: UTF8.self)
            guard parts.updateValue(value, forKey: name.lowercased()) == nil else {
                throw HubConnectionStringError(
                    .duplicate,
                    part: shown(name, index),
                    "\(shown(name, index)) is repeated in the connection string"
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
    ) throws(HubConnectionStringError) -> String {
        guard let value = parts[name.lowercased()], !value.isEmpty else {
            throw HubConnectionStringError(.missing, part: name, "\(name) is missing in the connection string")
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

/// An invalid connection string. The error names the part, but not its value.
public struct HubConnectionStringError: Error, Sendable, Equatable, CustomStringConvertible {
    /// The kind of the error.
    public struct Code: RawRepresentable, Hashable, Sendable {
        /// The short label for metrics.
        public var rawValue: String

        /// Creates a code.
        ///
        /// - Parameter rawValue: The label, in snake case.
        public init(rawValue: String) {
            self.rawValue = rawValue
        }

        /// A part is not of the form `Name=Value`.
        public static let syntax = Code(rawValue: "connection_string_syntax")
        /// A required part is missing or empty.
        public static let missing = Code(rawValue: "connection_string_missing_part")
        /// A part occurs twice.
        public static let duplicate = Code(rawValue: "connection_string_duplicate_part")
        /// A part has an invalid value.
        public static let invalid = Code(rawValue: "connection_string_invalid_part")
    }

    /// The kind of the error.
    public let code: Code
    /// The name of the part, for example `Endpoint` or `part 3`.
    public let part: String
    /// The fault and the expected form.
    public let message: String

    init(_ code: Code, part: String, _ message: String) {
        self.code = code
        self.part = part
        self.message = message
    }

    static func invalid(_ part: String, _ problem: String) -> HubConnectionStringError {
        HubConnectionStringError(.invalid, part: part, "\(part) of the connection string \(problem)")
    }

    /// The message, followed by the code.
    public var description: String { "\(message) [\(code.rawValue)]" }
}
