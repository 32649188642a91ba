import ASCII
import NotificationHubsCore

/// The text of an error response, made safe to log.
///
/// The service responds with `<Error><Code>401</Code><Detail>text.TrackingId:guid_G19,TimeStamp:7/2/2020 6:33:21
/// PM</Detail></Error>`.
/// The responses of gateways and proxies have any form and may repeat our request. Therefore only text that cannot be news is
/// kept: ``HubPhrases``, numbers and the tracking ID. Decoding never fails; an unknown body only yields a poor text.
struct HubErrorText: Equatable {
    /// The maximum number of bytes searched.
    private static let maximumBytes = 8192

    private(set) var detail = ""
    private(set) var trackingID: String?

    init() {}

    init(body: [UInt8]) {
        guard !body.isEmpty else { return }
        let bytes = Array(body.prefix(Self.maximumBytes))
        if let mark = bytes.firstRange(of: Array("TrackingId:".utf8)) {
            trackingID = Self.trackingID(bytes[mark.upperBound...])
        }
        let known = HubPhrases.known(in: bytes)
        if !known.isEmpty {
            detail = String(known.prefix(HubReply.maximumDetailLength))
        } else if trackingID == nil {
            detail =
                "\(body.count) bytes of \(Self.form(of: bytes)) without known phrases of the hub, not shown"
        }
    }

    /// A request ID of the service: characters of GUIDs and of gateway suffixes, at most 64.
    private static func trackingID(_ bytes: ArraySlice<UInt8>) -> String? {
        let id = bytes.prefix { byte in
            switch byte {
            case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "a")...UInt8(ascii: "f"): true
            case UInt8(ascii: "A")...UInt8(ascii: "G"), UInt8(ascii: "-"), UInt8(ascii: "_"): true
            default: false
            }
        }
        return id.isEmpty ? nil : String(decoding: id.prefix(64), as: UTF8.self)
    }

    /// The kind of the body; distinguishes a proxy's page from the service's response.
    private static func form(of bytes: [UInt8]) -> String {
        let start = bytes.drop { $0.isWhiteSpace }.prefix(14).map(\.lowercasedASCII)
        let isPage = ["<!doctype html", "<html"].contains { start.starts(with: $0.utf8) }
        return switch start.first {
        case UInt8(ascii: "<"): isPage ? "HTML" : "XML"
        case UInt8(ascii: "{"), UInt8(ascii: "["): "JSON"
        default: "text"
        }
    }

    /// Reduces a text to one line of limited length and redacts anything that looks like a credential.
    static func safe(_ text: String) -> String {
        var text = withoutUserInfo(text)
        for name in ["SharedAccessKey=", "sig=", "access_token="] { text = withoutValue(after: name, in: text) }
        var line = ""
        var needsBlank = false
        for character in text {
            if character.isWhitespace
                || character.unicodeScalars.contains(where: { $0.properties.generalCategory == .control })
            {
                needsBlank = !line.isEmpty
                continue
            }
            if needsBlank { line.append(" ") }
            needsBlank = false
            line.append(character)
        }
        return String(line.prefix(HubReply.maximumDetailLength))
    }

    /// Redacts a possible user and password of a URL: everything between `://` and the last `@` before the next `://`, because
    /// an
    /// unencoded password may contain any character.
    private static func withoutUserInfo(_ text: String) -> String {
        let parts = text.split(separator: "://", omittingEmptySubsequences: false)
        guard parts.count > 1 else { return text }
        let rest = parts.dropFirst().map { part in
            part.lastIndex(of: "@").map { "<redacted>" + part[$0...] } ?? String(part)
        }
        return ([String(parts[0])] + rest).joined(separator: "://")
    }

    private static func withoutValue(after name: String, in text: String) -> String {
        let wanted = name.lowercased().utf8
        var result: [UInt8] = []
        var rest = Array(text.utf8)[...]
        while let byte = rest.first {
            if rest.count >= wanted.count, zip(wanted, rest).allSatisfy({ $0 == $1.lowercasedASCII }) {
                result += rest.prefix(wanted.count)
                result += "<redacted>".utf8
                rest = rest.dropFirst(wanted.count).drop { "\"'".utf8.contains($0) }
                rest = rest.drop { !$0.isWhiteSpace && !"&;,<\"'".utf8.contains($0) }
            } else {
                result.append(byte)
                rest = rest.dropFirst()
            }
        }
        return String(decoding: result, as: UTF8.self)
    }
}
