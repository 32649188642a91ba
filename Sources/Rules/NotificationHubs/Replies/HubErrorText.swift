/// What a refusal says, made safe to show.
///
/// The service writes `<Error><Code>401</Code><Detail>text.TrackingId:guid_G19,TimeStamp:7/2/2020 6:33:21 PM</Detail></Error>`;
/// gateways and proxies write what they like. Nothing here fails: the worst body gives a poor text.
struct HubErrorText: Equatable {
    /// More is not looked at.
    private static let maximumBytes = 8192

    private(set) var detail = ""
    private(set) var trackingID: String?

    init() {}

    init(body: [UInt8]) {
        let text = String(decoding: body.prefix(Self.maximumBytes), as: UTF8.self)
        var detail = Self.element("Detail", in: text) ?? text
        if let mark = detail.utf8Range(of: "TrackingId:") {
            let id = detail[mark.upperBound...].prefix {
                $0.isASCII && ($0.isLetter || $0.isNumber || $0 == "-" || $0 == "_")
            }
            trackingID = id.isEmpty ? nil : String(id.prefix(64))
            detail = String(detail[..<mark.lowerBound])
            // The service puts a full stop before the mark, also behind a text that has its own.
            if detail.utf8.last == UInt8(ascii: ".") { detail.removeLast() }
        }
        self.detail = Self.safe(detail)
    }

    /// The text between the first start tag of a name and the next end tag, without its entities.
    private static func element(_ name: String, in text: String) -> String? {
        guard let start = text.firstRange(of: "<\(name)>") else { return nil }
        let rest = text[start.upperBound...]
        var content = rest.firstRange(of: "</\(name)>").map { rest[..<$0.lowerBound] } ?? rest
        if content.hasPrefix("<![CDATA[") {
            content = content.dropFirst("<![CDATA[".count)
            if content.hasSuffix("]]>") { content = content.dropLast(3) }
            return String(content)
        }
        return withoutEntities(content)
    }

    private static func withoutEntities(_ text: Substring) -> String {
        var result = String(text)
        for (entity, character) in [("&lt;", "<"), ("&gt;", ">"), ("&quot;", "\""), ("&apos;", "'"), ("&amp;", "&")] {
            result.replace(entity, with: character)
        }
        return result
    }

    /// One line of bounded length, with anything that looks like a credential taken out.
    static func safe(_ text: String) -> String {
        var text = text
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
