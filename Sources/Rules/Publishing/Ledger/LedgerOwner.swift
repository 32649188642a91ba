import ASCII
import StrictJSON

/// The owner of a partition, which its ledger contains under a key of its own.
///
/// A worker writes it before it works on a partition, and again when it gives the partition back in order. So the next owner
/// knows whether the one before it may have sent something that the ledger does not have.
package struct LedgerOwner: Sendable, Equatable {
    /// Whether the partition was given back in order: everything that was sent is in the ledger.
    package var hasLeft: Bool
    /// Whether all outcomes that the records list as closing were confirmed when it was given back.
    package var isSettled: Bool
    /// The source records without a story that are processed and not committed, when it was given back.
    package var processed: [Int64]
    /// The addresses of the hubs by their labels, as ``HubAddresses`` has them.
    package var hubs: [String: String]

    package init(hasLeft: Bool, isSettled: Bool, processed: [Int64] = [], hubs: [String: String]) {
        self.hasLeft = hasLeft
        self.processed = processed
        self.isSettled = isSettled
        self.hubs = hubs
    }

    /// The key of its record, which no story can have.
    package static let key = "\u{0}owner"

    /// Whether a record of the ledger is this one.
    package static func isKey(_ key: Span<UInt8>) -> Bool { key.isEqual(to: Self.key.utf8.span) }

    /// Encodes it: `{"v":2,"left":true,"settled":true,"hubs":{"main":"example.servicebus.windows.net/newsroom"}}`.
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
        writer.name("hubs")
        writer.beginObject()
        for (key, hub) in hubs.sorted(by: { $0.key < $1.key }) {
            writer.name(key)
            writer.value(hub)
        }
        writer.endObject()
        writer.endObject()
        return writer.takeBytes()
    }

    /// Decodes it.
    ///
    /// - Throws: The first fault with its path.
    package init(decoding value: Span<UInt8>) throws(LedgerRecordError) {
        do throws(JSONError) {
            var cursor = try JSONCursor(value)
            var hasLeft = false
            var isSettled = false
            var processed: [Int64] = []
            var hubs: [String: String] = [:]
            try cursor.beginObject(value)
            while let name = try cursor.nextMember(value) {
                switch name.string(value) {
                case "left": hasLeft = try cursor.bool(value)
                case "settled": isSettled = try cursor.bool(value)
                case "processed": processed = try cursor.offsets(value)
                case "hubs":
                    try cursor.beginObject(value)
                    while let key = try cursor.nextMember(value) { hubs[key.string(value)] = try cursor.string(value) }
                default: try cursor.skip(value)
                }
            }
            try cursor.end(value)
            self.init(hasLeft: hasLeft, isSettled: isSettled, processed: processed, hubs: hubs)
        } catch {
            throw LedgerRecordError(error, in: value)
        }
    }
}
