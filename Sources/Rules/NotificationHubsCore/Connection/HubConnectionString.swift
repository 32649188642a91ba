/// How to reach and to sign for a namespace of hubs, as the portal gives it out.
///
/// `Endpoint=sb://newsdesk.servicebus.windows.net/;SharedAccessKeyName=SendOnly;SharedAccessKey=…`
///
/// Parts may come in any order, with white space around them and a `;` at the end; their names ignore case. A part twice
/// is an error. Parts that a hub has no use for (`EntityPath`, `TransportType` of other services' strings) are ignored:
/// the hub's name comes with the client, and what is needed is checked to be there. `SharedAccessSignature=` in place of
/// a key is refused: no SDK of Notification Hubs takes it, and a ready token ends within the hour.
///
/// `UseDevelopmentEmulator=true` lets `sb://` mean plain HTTP; `http://` may be written as well.
public struct HubConnectionString: Sendable, Equatable, CustomStringConvertible {
    /// The most characters of a key and of its name.
    public static let maximumKeyLength = 256

    /// Where the namespace answers.
    public let endpoint: HubEndpoint
    /// The name of the policy that the key belongs to.
    public let keyName: String
    /// The key; never in a description.
    public let key: SharedAccessKey
    /// Whether the string is for an emulator.
    public let usesDevelopmentEmulator: Bool

    /// Reads a connection string.
    ///
    /// - Parameter text: The whole string.
    /// - Throws: ``HubConnectionStringError``, which names the part and never its value.
    public init(_ text: String) throws(HubConnectionStringError) {
        let parts = try Self.parts(of: text)
        if parts["sharedaccesssignature"] != nil {
            throw .invalid("SharedAccessSignature", "is not taken: give SharedAccessKeyName and SharedAccessKey")
        }
        switch parts["usedevelopmentemulator"]?.lowercased() {
        case nil, "false": self.usesDevelopmentEmulator = false
        case "true": self.usesDevelopmentEmulator = true
        default: throw .invalid("UseDevelopmentEmulator", "is neither true nor false")
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

    /// The string with `<redacted>` for the key.
    public var description: String { text(key: "<redacted>") }

    /// The string with its key: for a file of secrets or a client, never for a log.
    public var textWithKey: String { text(key: key.secretText) }

    private func text(key: String) -> String {
        "Endpoint=\(endpoint.url)/;SharedAccessKeyName=\(keyName);SharedAccessKey=\(key)"
            + (usesDevelopmentEmulator ? ";UseDevelopmentEmulator=true" : "")
    }

    /// Values by lower-case name.
    private static func parts(of text: String) throws(HubConnectionStringError) -> [String: String] {
        var parts: [String: String] = [:]
        for (index, piece) in text.utf8.split(separator: UInt8(ascii: ";"), omittingEmptySubsequences: false)
            .enumerated()
        {
            let part = trimmed(piece)
            if part.isEmpty { continue }
            // The part itself is not shown: it may be the second half of a key that was cut.
            guard let equals = part.firstIndex(of: UInt8(ascii: "=")) else {
                throw HubConnectionStringError(
                    .syntax,
                    part: "part \(index + 1)",
                    "part \(index + 1) of the connection string has no =; parts are Name=Value with ; between them"
                )
            }
            let name = String(decoding: trimmed(part[..<equals]), as: UTF8.self)
            let value = String(decoding: trimmed(part[part.index(after: equals)...]), as: UTF8.self)
            guard parts.updateValue(value, forKey: name.lowercased()) == nil else {
                throw HubConnectionStringError(
                    .duplicate,
                    part: shown(name, index),
                    "\(shown(name, index)) stands twice in the connection string"
                )
            }
        }
        return parts
    }

    /// The name of a part that is safe to show: a broken string may have a piece of its key in the place of a name.
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
