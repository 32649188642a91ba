import ASCII
import Timestamps

/// A record that a person's order has written once more: the original's value lies in a header, and the order around it.
///
/// The record itself has no value. A worker, or any other reader of the topic, that does not know these headers takes it for
/// a tombstone and passes over it, so that an order that says whom it is for never reaches others by mistake. A reader that
/// knows them believes all of them or refuses the record: what is missing, malformed, doubled or new here may be what keeps
/// it from all readers.
package enum ReplayEnvelope {
    /// What every header of ours begins with.
    package static let headerPrefix = "newsflash-replay-"
    /// The most characters of an id.
    package static let maximumID = 64
    /// The most characters of a tag.
    package static let maximumTag = 120

    private enum Header: String, CaseIterable {
        case id, of, at, reason, again, delivery, value
        case onlyTag = "only-tag"
    }

    /// Whether headers are those of an order.
    package static func isMarked(_ headers: [EventHeader]) -> Bool {
        headers.contains { $0.name.hasPrefix(headerPrefix) }
    }

    /// Puts a record into an envelope.
    ///
    /// - Parameters:
    ///   - value: The original's.
    ///   - headers: The original's; those of earlier orders and dead letters are left out.
    ///   - mark: The order.
    ///   - story: Which story is told again, where ``ReplayMark/isAgain``.
    ///   - isSecure: Whether no words of it may travel, because of what came before it in its story.
    ///   - reason: Why, for who reads the topic.
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

    /// What of an original's headers belongs to its own past.
    private static let strange = [headerPrefix, "newsflash-dlq-", "newsflash-redrive-"]

    /// What an envelope holds.
    struct Content {
        var mark: ReplayMark
        /// The story that may be told again.
        var again: String?
        /// Whether no words of it may travel.
        var isSecure: Bool
        var value: [UInt8]
        /// The original's headers.
        var headers: [EventHeader]
    }

    /// Opens an envelope.
    ///
    /// - Parameters:
    ///   - headers: All of the record.
    ///   - hasValue: Whether the record has a value of its own.
    /// - Returns: What it holds.
    /// - Throws: ``Refusal`` that names the header.
    static func open(_ headers: [EventHeader], hasValue: Bool) throws(Refusal) -> Content {
        guard !hasValue else {
            throw Refusal(.replay, "\(headerPrefix)*: the record has a value of its own beside them")
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
                throw Refusal(.replay, "\(name): is not known to this version; let a newer worker read it")
            }
            guard let value = header.value, !value.isEmpty else { throw Refusal(.replay, "\(name): is empty") }
            guard found.updateValue(value, forKey: known) == nil else {
                throw Refusal(.replay, "\(name): stands twice")
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

    private static func mark(_ found: [Header: [UInt8]], isAgain: Bool) throws(Refusal) -> ReplayMark {
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
            throw Refusal(.replay, "\(headerPrefix)again: stands beside \(headerPrefix)only-tag, which needs no such")
        }
        return ReplayMark(id: id, partition: partition, offset: offset, onlyTag: tag, isAgain: isAgain, at: at)
    }

    /// Whether a text may be the id of an order.
    package static func isID(_ text: String) -> Bool {
        (1...maximumID).contains(text.utf8.count)
            && text.utf8.allSatisfy { $0.isLetterOrDigit || ".-_".utf8.contains($0) }
    }

    /// Whether a text has the form of a tag.
    package static func isTag(_ text: String) -> Bool {
        text.utf8.count <= maximumTag && TextForm.user.fits(text)
    }

    private static func text(_ header: Header, _ found: [Header: [UInt8]]) throws(Refusal) -> String? {
        guard let bytes = found[header] else { return nil }
        guard let text = String(validating: bytes, as: UTF8.self) else { throw malformed(header, "UTF-8") }
        return text
    }

    private static func missing(_ header: Header) -> Refusal {
        Refusal(.replay, "\(headerPrefix)\(header.rawValue): is missing")
    }

    private static func malformed(_ header: Header, _ form: String) -> Refusal {
        Refusal(.replay, "\(headerPrefix)\(header.rawValue): must be \(form)")
    }
}
