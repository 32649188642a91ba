import ASCII
import NotificationHubsCore

/// What a refusal says, made safe to show.
///
/// The service writes `<Error><Code>401</Code><Detail>text.TrackingId:guid_G19,TimeStamp:7/2/2020 6:33:21 PM</Detail></Error>`;
/// gateways and proxies write what they like, our own request among it. So only what is surely no word of news is shown:
/// ``HubPhrases``, numbers and the tracking id. Nothing here fails: the worst body gives a poor text.
struct HubErrorText: Equatable {
    /// More is not looked at.
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
                "\(body.count) bytes of \(Self.form(of: bytes)) without known words of the hub, which are not shown"
        }
    }

    /// A name that the service gave to a request: digits and letters as GUIDs and gateways have them, at most 64.
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

    /// What a body looks like: tells a proxy's page from the service's answer.
    private static func form(of bytes: [UInt8]) -> String {
        let start = bytes.drop { $0.isWhiteSpace }.prefix(14).map(\.lowercasedASCII)
        let isPage = ["<!doctype html", "<html"].contains { start.starts(with: $0.utf8) }
        return switch start.first {
        case UInt8(ascii: "<"): isPage ? "HTML" : "XML"
        case UInt8(ascii: "{"), UInt8(ascii: "["): "JSON"
        default: "text"
        }
    }

    /// One line of bounded length, with anything that looks like a credential taken out.
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

    /// Takes out what may be the user and password of a URL: all between `://` and the last `@` before the next `://`, since a
    /// password that nobody encoded may have any character.
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
