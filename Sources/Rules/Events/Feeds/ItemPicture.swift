import NewsflashBasics
import NewsflashStrictJSON
import NewsflashTimestamps

/// The picture of an item of ninjs: from one of its associations, otherwise from its own renditions.
///
/// An association is an item with its own status and embargo. A picture is never pushed if it is withdrawn, withheld, or
/// still under embargo when the event can be sent, or if its status or embargo is unreadable.
enum ItemPicture {
    private static let types: Set<String> = ["picture", "graphic"]
    /// The width that a phone needs, in pixels.
    private static let enough: Int64 = 1024
    private static let longestLink = 2048

    /// The link of the rendition that suits a phone.
    ///
    /// - Parameters:
    ///   - item: The item.
    ///   - rules: The rules of its source.
    ///   - published: The creation time of its version, as RFC 3339.
    ///   - embargo: The earliest time of sending, as RFC 3339; `nil` if it has no embargo.
    /// - Returns: `nil` if no picture may be pushed, or none is an image with an `https` link.
    static func link(
        of item: JSONValue,
        rules: SourceRules = SourceRules(),
        published: String?,
        embargo: String?
    ) -> String? {
        let sent = [published, embargo].compactMap { $0.flatMap { Timestamp(rfc3339: $0) } }
            .max { $0.nanoseconds < $1.nanoseconds }
        for association in item.elements("associations") {
            let picture = NinjsItem(association, format: .ninjs, rules: rules)
            guard types.contains(picture.type ?? ""), picture.isFree(at: sent) else { continue }
            if let link = link(ofRenditionsOf: association) { return link }
        }
        return link(ofRenditionsOf: item)
    }

    /// Returns the link of the widest rendition of at most 1,024 pixels, otherwise of the narrowest wider one, otherwise of the
    /// first without a known width. Only images with an `https` link count.
    private static func link(ofRenditionsOf picture: JSONValue) -> String? {
        var best: (rank: Int64, link: String)?
        for rendition in picture.elements("renditions") {
            guard let link = rendition[member: "href"]?.string, StringSyntax.link.fits(link),
                link.utf8.count <= longestLink, isImage(rendition, link)
            else { continue }
            let rank = rank(ofWidth: width(of: rendition))
            if best.map({ rank < $0.rank }) ?? true { best = (rank, link) }
        }
        return best?.link
    }

    /// A lower rank is better.
    private static func rank(ofWidth width: Int64?) -> Int64 {
        guard let width else { return .max }
        return width <= enough ? enough - width : width
    }

    private static func width(of rendition: JSONValue) -> Int64? {
        guard let value = rendition.present("width") else { return nil }
        let digits = value.string.map { $0.prefix { ("0"..."9").contains($0) } }
        let width = value.int64 ?? digits.flatMap { Int64(digits: String($0)) }
        return width.flatMap { $0 > 0 && $0 < .max ? $0 : nil }
    }

    private static let otherImages: Set<String> = ["image/svg+xml", "image/tiff", "image/vnd.adobe.photoshop"]
    private static let otherEndings: Set<String> = [
        "mp4", "m4v", "mov", "webm", "avi", "mpg", "mpeg", "m3u8", "mp3", "m4a", "wav", "ogg", "pdf", "svg", "tif",
        "tiff",
        "eps", "psd", "html", "htm", "json", "xml", "zip",
    ]

    /// Whether phones can show a rendition, by its media type, otherwise by the extension of its link; true if neither is
    /// known.
    private static func isImage(_ rendition: JSONValue, _ link: String) -> Bool {
        if let type = rendition.mediaType { return type.hasPrefix("image/") && !otherImages.contains(type) }
        let path = link.utf8.prefix { $0 != UInt8(ascii: "?") && $0 != UInt8(ascii: "#") }
        guard let dot = path.lastIndex(of: UInt8(ascii: ".")) else { return true }
        let ending = String(decoding: path[path.index(after: dot)...], as: UTF8.self).lowercasedASCII
        return !otherEndings.contains(ending)
    }
}

extension NinjsItem {
    /// Whether a picture may be pushed at a time, by its status, its embargoes, its notes and its signals.
    fileprivate func isFree(at sent: Timestamp?) -> Bool {
        var oddities = SchemaViolations()
        guard let act = try? act(urgency: nil, isFirst: false, &oddities), act.kind.isNews else { return false }
        return limits(.embargo).allSatisfy { member in
            if let text = member.value.string, text.isEmpty || FeedTime.isNone(text) { return true }
            let text = member.value.string.map { FeedTime.rfc3339($0, in: rules.zone, isLatest: true) }
            guard let sent, let end = text.flatMap({ Timestamp(rfc3339: $0) }) else { return false }
            return end.nanoseconds <= sent.nanoseconds
        }
    }
}
