import NewsEvents
import StrictJSON
import Timestamps

/// A record after one pass: single values are read, lists are left where they lie.
///
/// Two readers use it: the one that makes whole ``StoryFacts``, and the restoration of the index, which needs few members.
struct LedgerRecordScan {
    let story: JSONText
    let phase: StoryFacts.Phase
    let revision: Int64
    let passedRevision: Int64
    let isFinal: Bool
    let isSecure: Bool
    let eventID: JSONText
    let source: JSONText
    let kind: EventKind
    let digest: ContentDigest
    let changedAt: Timestamp
    let term: Int64
    let processed: ProcessedOffsets
    let wordsOffset: Int64?
    /// The lists; nothing where they have no element.
    let text: LedgerList?
    let earlier: LedgerList?
    let begun: LedgerList?
    let pushes: LedgerList?
    let audiences: LedgerList?
    let closing: LedgerList?
    let waiting: LedgerList?

    /// Goes through a record.
    ///
    /// - Parameter bytes: The whole value.
    /// - Throws: The first fault; that of a version that is not known before all others of valid JSON.
    init(_ bytes: Span<UInt8>) throws(JSONError) {
        var cursor = try JSONCursor(bytes)
        var members = try LedgerMembers<RecordMember>(&cursor, bytes)
        var story: JSONText?
        var phase = StoryFacts.Phase.open
        var revision: Int64?
        var passedRevision: Int64 = 0
        var isFinal = true
        var isSecure = false
        var eventID: JSONText?
        var source: JSONText?
        var kind: EventKind?
        var digest: ContentDigest?
        var changedAt: Timestamp?
        var term: Int64 = 0
        var processed = ProcessedOffsets()
        var wordsOffset: Int64?
        var text: LedgerList?
        var earlier: LedgerList?
        var begun: LedgerList?
        var pushes: LedgerList?
        var audiences: LedgerList?
        var closing: LedgerList?
        var waiting: LedgerList?
        var hasVersion = false
        var isSummed = false
        while let member = try members.next(&cursor, bytes) {
            guard !isSummed else {
                throw cursor.fault(.ledgerSum, at: cursor.position, "stands behind the sum, which is last")
            }
            if !hasVersion {
                if member != .version { try Self.checkVersion(bytes) }
                hasVersion = true
            }
            switch member {
            case .version: try Self.checkVersion(&cursor, bytes)
            case .story: story = try cursor.text(bytes)
            case .phase: phase = try cursor.value(bytes, "is no phase that this version knows")
            case .revision: revision = try cursor.count(bytes)
            case .passed: passedRevision = try cursor.count(bytes)
            case .final: isFinal = try cursor.bool(bytes)
            case .secure: isSecure = try cursor.bool(bytes)
            case .event: eventID = try cursor.text(bytes)
            case .source: source = try cursor.text(bytes)
            case .kind: kind = try cursor.kind(bytes)
            case .digest: digest = ContentDigest(value: try cursor.hexadecimal(bytes))
            case .changed: changedAt = try cursor.timestamp(bytes)
            case .term: term = try cursor.count(bytes)
            case .processed: processed = try Self.processed(&cursor, bytes)
            case .words: wordsOffset = try cursor.count(bytes)
            case .text: text = try cursor.list(bytes)
            case .earlier: earlier = try cursor.list(bytes)
            case .begun: begun = try cursor.list(bytes)
            case .pushes: pushes = try cursor.list(bytes)
            case .audiences: audiences = try cursor.list(bytes)
            case .closing: closing = try cursor.list(bytes)
            case .waiting: waiting = try cursor.list(bytes)
            case .sum:
                try Self.checkSum(&cursor, bytes)
                isSummed = true
            }
        }
        try cursor.end(bytes)
        guard hasVersion else { throw members.missing(.version, cursor) }
        guard let story else { throw members.missing(.story, cursor) }
        guard let revision else { throw members.missing(.revision, cursor) }
        guard let eventID else { throw members.missing(.event, cursor) }
        guard let source else { throw members.missing(.source, cursor) }
        guard let kind else { throw members.missing(.kind, cursor) }
        guard let digest else { throw members.missing(.digest, cursor) }
        guard let changedAt else { throw members.missing(.changed, cursor) }
        self.story = story
        self.phase = phase
        self.revision = revision
        self.passedRevision = passedRevision > revision ? passedRevision : 0
        self.isFinal = isFinal
        self.isSecure = isSecure
        self.eventID = eventID
        self.source = source
        self.kind = kind
        self.digest = digest
        self.changedAt = changedAt
        self.term = term
        self.processed = processed
        self.wordsOffset = wordsOffset
        self.text = text
        self.earlier = earlier
        self.begun = begun
        self.pushes = pushes
        self.audiences = audiences
        self.closing = closing
        self.waiting = waiting
    }

    /// Looks for the version of a record that begins with something else, as tools that sort the members leave it.
    private static func checkVersion(_ bytes: Span<UInt8>) throws(JSONError) {
        var cursor = try JSONCursor(bytes)
        var members = try LedgerMembers<RecordMember>(&cursor, bytes)
        while let member = try members.next(&cursor, bytes) {
            if member == .version { return try checkVersion(&cursor, bytes) }
            try cursor.skip(bytes)
        }
        throw members.missing(.version, cursor)
    }

    private static func checkVersion(_ cursor: inout JSONCursor, _ bytes: Span<UInt8>) throws(JSONError) {
        let start = cursor.position
        let version = try cursor.int64(bytes)
        guard version == LedgerRecordCodec.version else {
            let message =
                "the record is of version \(version), this newsflash reads version \(LedgerRecordCodec.version)"
            throw cursor.fault(.ledgerVersion, at: start, message)
        }
    }

    /// Compares the sum with that of all bytes up to the comma before it; the cursor stands on the value.
    private static func checkSum(_ cursor: inout JSONCursor, _ bytes: Span<UInt8>) throws(JSONError) {
        let start = cursor.position
        let sum = try cursor.hexadecimal(bytes)
        var end = start
        while end > 0, bytes[end - 1] != UInt8(ascii: ",") { end -= 1 }
        guard ByteSum.of(bytes.extracting(0..<end)) == sum else {
            throw cursor.fault(.ledgerSum, at: start, "is not that of the record's bytes: it was damaged or edited")
        }
    }

    private static func processed(
        _ cursor: inout JSONCursor,
        _ bytes: Span<UInt8>
    ) throws(JSONError) -> ProcessedOffsets {
        let start = cursor.position
        var members = try LedgerMembers<ProcessedMember>(&cursor, bytes)
        var through: Int64 = -1
        var open: [Int64] = []
        var ahead: [Int64] = []
        while let member = try members.next(&cursor, bytes) {
            switch member {
            case .through: through = try cursor.count(bytes)
            case .open: open = try cursor.offsets(bytes)
            case .ahead: ahead = try cursor.offsets(bytes)
            }
        }
        guard let processed = ProcessedOffsets(through: through, open: open, ahead: ahead) else {
            throw cursor.fault(.ledgerMember, at: start, "the offsets do not ascend")
        }
        return processed
    }
}
