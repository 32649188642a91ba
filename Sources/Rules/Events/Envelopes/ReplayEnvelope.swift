import NewsflashBasics
package import NewsflashTimestamps

/// A record that a replay command has written again: one header has the original's value, the others describe the command.
///
/// The record itself has no value. A worker or another consumer of the topic that does not know these headers treats it as a
/// tombstone and skips it, so a replay for a few subscribers never reaches others by mistake. A consumer that knows them
/// accepts all of them or rejects the record: a missing, malformed, repeated or unknown header may be the one that keeps the
/// record from all subscribers.
package enum ReplayEnvelope {
    /// The prefix of all headers of the envelope.
    package static let headerPrefix = "newsflash-replay-"
    /// The maximum length of an id in characters.
    package static let maximumID = 64
    /// The maximum length of a tag in characters.
    package static let maximumTag = 120

    private enum Header: String, CaseIterable {
        case id, of, at, reason, again, delivery, value
        case onlyTag = "only-tag"
    }

    /// Whether headers contain a replay command.
    package static func isMarked(_ headers: [EventHeader]) -> Bool {
        headers.contains { $0.name.hasPrefix(headerPrefix) }
    }

    /// Makes the headers of a record that replays another one.
    ///
    /// - Parameters:
    ///   - value: The original's value.
    ///   - headers: The original's headers; those of earlier replays and dead letters are left out.
    ///   - mark: The replay command.
    ///   - story: The story that may be notified again, if ``ReplayMark/isAgain``.
    ///   - isSecure: Whether none of its text may be sent, because of an earlier event of its story.
    ///   - reason: The reason of the command, for people who read the topic.
    /// - Returns: The headers of a record without a value.
    package static func headers(
        around value: [UInt8],
        _ headers: [EventHeader],
        _ mark: ReplayMark,
        story: String,
        isSecure: Bool = false,
        reason: String
    ) -> [EventHeader] {
        var sealed = headers.filter { header in !strange.contains { header.name.hasPrefix($0) } }
        func add(_ header: Header, _ text: String?) {
            guard let text else { return }
            sealed.append(EventHeader(name: headerPrefix + header.rawValue, value: Array(text.utf8)))
        }
        add(.id, mark.id)
        add(.of, mark.origin)
        add(.at, mark.at.rfc3339)
        add(.reason, reason)
        add(.onlyTag, mark.onlyTag)
        add(.again, mark.isAgain ? story : nil)
        add(.delivery, isSecure ? EventDelivery.secure.rawValue : nil)
        sealed.append(EventHeader(name: headerPrefix + Header.value.rawValue, value: value))
        return sealed
    }

    /// The prefixes of the original's headers that belong only to its own past.
    private static let strange = [headerPrefix, "newsflash-dlq-", "newsflash-redrive-"]

    /// The content of an envelope.
    struct Content {
        var mark: ReplayMark
        /// The story that may be notified again.
        var again: String?
        /// Whether none of its text may be sent.
        var isSecure: Bool
        var value: [UInt8]
        /// The original's headers.
        var headers: [EventHeader]
    }

    /// Opens an envelope.
    ///
    /// - Parameters:
    ///   - headers: All headers of the record.
    ///   - hasValue: Whether the record also has a value.
    /// - Returns: The content.
    /// - Throws: ``DecodeError`` that names the header.
    static func open(_ headers: [EventHeader], hasValue: Bool) throws(DecodeError) -> Content {
        guard !hasValue else {
            throw DecodeError(.replay, "\(headerPrefix)*: the record must not also have a value")
        }
        var found: [Header: [UInt8]] = [:]
        var rest: [EventHeader] = []
        for header in headers {
            guard header.name.hasPrefix(headerPrefix) else {
                rest.append(header)
                continue
            }
            let name = header.name.printable(limit: 64)
            guard let known = Header(rawValue: String(header.name.dropFirst(headerPrefix.count))) else {
                throw DecodeError(.replay, "\(name): is unknown to this version; use a newer worker")
            }
            guard let value = header.value, !value.isEmpty else { throw DecodeError(.replay, "\(name): is empty") }
            guard found.updateValue(value, forKey: known) == nil else {
                throw DecodeError(.replay, "\(name): occurs twice")
            }
        }
        guard let value = found[.value] else { throw missing(.value) }
        let again = try text(.again, found)
        let delivery = try text(.delivery, found)
        guard delivery == nil || delivery == EventDelivery.secure.rawValue else { throw malformed(.delivery, "secure") }
        return Content(
            mark: try mark(found, isAgain: again != nil),
            again: again,
            isSecure: delivery != nil,
            value: value,
            headers: rest
        )
    }

    private static func mark(_ found: [Header: [UInt8]], isAgain: Bool) throws(DecodeError) -> ReplayMark {
        guard let id = try text(.id, found) else { throw missing(.id) }
        guard isID(id) else { throw malformed(.id, "1 to \(maximumID) of A-Z a-z 0-9 . _ -") }
        guard let of = try text(.of, found) else { throw missing(.of) }
        let place = of.split(separator: "@", omittingEmptySubsequences: false)
        guard place.count == 2, let partition = Int32(digits: place[0]), let offset = Int64(digits: place[1]) else {
            throw malformed(.of, "partition@offset")
        }
        guard let at = try text(.at, found) else { throw missing(.at) }
        guard let at = Timestamp(rfc3339: at) else { throw malformed(.at, "an instant in RFC 3339") }
        let tag = try text(.onlyTag, found)
        if let tag, !isTag(tag) { throw malformed(.onlyTag, "1 to \(maximumTag) of A-Z a-z 0-9 _ @ # . : -") }
        if tag != nil, isAgain {
            throw DecodeError(.replay, "\(headerPrefix)again: must not be used with \(headerPrefix)only-tag")
        }
        return ReplayMark(id: id, partition: partition, offset: offset, onlyTag: tag, isAgain: isAgain, at: at)
    }

    /// Whether a text is valid as the id of a replay.
    package static func isID(_ text: String) -> Bool {
        (1...maximumID).contains(text.utf8.count)
            && text.utf8.allSatisfy { $0.isLetterOrDigit || ".-_".utf8.contains($0) }
    }

    /// Whether a text is valid as a tag.
    package static func isTag(_ text: String) -> Bool {
        text.utf8.count <= maximumTag && StringSyntax.user.fits(text)
    }

    private static func text(_ header: Header, _ found: [Header: [UInt8]]) throws(DecodeError) -> String? {
        guard let bytes = found[header] else { return nil }
        guard let text = String(validating: bytes, as: UTF8.self) else { throw malformed(header, "UTF-8") }
        return text
    }

    private static func missing(_ header: Header) -> DecodeError {
        DecodeError(.replay, "\(headerPrefix)\(header.rawValue): is missing")
    }

    private static func malformed(_ header: Header, _ form: String) -> DecodeError {
        DecodeError(.replay, "\(headerPrefix)\(header.rawValue): must be \(form)")
    }
}

/// The mark of an event that an operator replays: which replay it belongs to, and whom it may reach.
///
/// An object, because events are copied often and few have one.
package final class ReplayMark: Sendable, Equatable {
    /// Identifies the replay; the same for all events of it.
    package let id: String
    /// The partition and the offset of the replayed record, in the same topic as its copy.
    package let partition: Int32
    package let offset: Int64
    /// The only tag whose devices are notified; `nil` for all subscribers of the event.
    package let onlyTag: String?
    /// Whether a notification that was accepted before may be repeated.
    package let isAgain: Bool
    /// The time of the command.
    package let at: Timestamp

    package init(
        id: String,
        partition: Int32,
        offset: Int64,
        onlyTag: String? = nil,
        isAgain: Bool = false,
        at: Timestamp
    ) {
        self.id = id
        self.partition = partition
        self.offset = offset
        self.onlyTag = onlyTag
        self.isAgain = isAgain
        self.at = at
    }

    /// The position of the original, such as `3@48120`.
    package var origin: String { "\(partition)@\(offset)" }

    /// The start of the event's lifetime; `nil` for its publication.
    ///
    /// A replay for one tag or of a named story is a new decision, so its lifetime starts with the command. A replay after a
    /// failure does not extend the lifetime.
    package var lifeStart: Timestamp? { onlyTag != nil || isAgain ? at : nil }

    package static func == (left: ReplayMark, right: ReplayMark) -> Bool {
        left === right
            || left.id == right.id && left.partition == right.partition && left.offset == right.offset
                && left.onlyTag == right.onlyTag && left.isAgain == right.isAgain && left.at == right.at
    }
}
