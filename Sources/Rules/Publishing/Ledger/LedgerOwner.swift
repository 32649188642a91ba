import NewsflashBasics
import NewsflashStrictJSON

/// The owner of a partition, stored in the partition's ledger under a key of its own.
///
/// A worker writes it before it works on a partition, and again when it gives the partition back in order. It shows the next
/// owner whether the previous one may have sent requests that the ledger does not contain.
package struct LedgerOwner: Sendable, Equatable {
    /// Whether the partition was given back in order: the ledger contains all requests.
    package var hasLeft: Bool
    /// Whether all outcomes of closing events were confirmed when it was given back.
    package var isSettled: Bool
    /// The source records without a story that were processed and not committed when it was given back.
    package var processed: [Int64]
    /// The offset of the record by which the owner began; `nil` in that record itself.
    package var term: Int64?
    /// A random number by which a worker distinguishes its own records from those of others.
    package var writer: UInt64
    /// The addresses of the hubs by their labels, from ``HubAddresses``.
    package var hubs: [String: String]
    /// The consumer group of the owner, to which the ledger belongs; empty if it is not recorded.
    package var group: String

    package init(
        hasLeft: Bool,
        isSettled: Bool,
        processed: [Int64] = [],
        term: Int64? = nil,
        writer: UInt64 = 0,
        hubs: [String: String],
        group: String = ""
    ) {
        self.hasLeft = hasLeft
        self.term = term
        self.writer = writer
        self.processed = processed
        self.isSettled = isSettled
        self.hubs = hubs
        self.group = group
    }

    /// Whether it is the record of an owner that begins, or contains no more than such a record.
    var isBeginning: Bool { term == nil && !hasLeft && !isSettled }

    /// The key of its record, which no story can have.
    package static let key = "\u{0}owner"

    /// Whether a ledger record with this key is an owner record.
    package static func isKey(_ key: Span<UInt8>) -> Bool { key.isEqual(to: Self.key.utf8.span) }

    /// Encodes it, for example as
    /// `{"v":2,"left":true,"settled":true,"term":7,"writer":"5be0c2a7e4f1d309","group":"newsflash",
    /// "hubs":{"main":"a.servicebus.windows.net/n"}}`.
    package var encoded: [UInt8] {
        var writer = JSONWriter()
        writer.beginObject()
        writer.member("v", LedgerRecordCodec.version)
        writer.name("left")
        writer.value(hasLeft)
        writer.name("settled")
        writer.value(isSettled)
        if !processed.isEmpty {
            writer.name("processed")
            writer.beginArray()
            for offset in processed { writer.value(offset) }
            writer.endArray()
        }
        if let term { writer.member("term", term) }
        writer.member("writer", hexadecimal: self.writer)
        if !group.isEmpty { writer.member("group", group) }
        writer.name("hubs")
        writer.beginObject()
        for (key, hub) in hubs.sorted(by: { $0.key < $1.key }) {
            writer.name(key)
            writer.value(hub)
        }
        writer.endObject()
        writer.endObject()
        return writer.finish()
    }

    /// Decodes it.
    ///
    /// - Throws: The first fault with its path.
    package init(decoding value: Span<UInt8>) throws(LedgerRecordError) {
        let members = try LedgerMembers(decoding: value)
        self.init(
            hasLeft: try members.truth("left") ?? false,
            isSettled: try members.truth("settled") ?? false,
            processed: try members.nonNegativeIntegers("processed") ?? [],
            term: try members.integer("term"),
            writer: try members.hexadecimal("writer") ?? 0,
            hubs: try members.textsByName("hubs"),
            group: try members.text("group") ?? ""
        )
    }
}
