import NewsflashBasics
import NewsflashEvents
import NewsflashRouting
import NewsflashStrictJSON
import NotificationHubs

extension LedgerRecordCodec {
    /// Decodes a record.
    ///
    /// - Parameter value: The whole value of a record of the ledger topic.
    /// - Returns: The story of the record, and its facts.
    /// - Throws: The first fault with its path. The sum shows damaged bytes.
    package static func decode(
        _ value: Span<UInt8>
    ) throws(LedgerRecordError) -> (story: String, record: StoryFacts) {
        let reader = try LedgerRecordReader(value)
        return (reader.story, try reader.wholeFacts())
    }
}

/// The members of one object of a ledger record.
typealias LedgerMembers = RecordMembers<LedgerRecordError>

extension LedgerMembers {
    /// Parses the value of a ledger record.
    init(decoding value: Span<UInt8>) throws(LedgerRecordError) {
        let document: JSONValue
        do throws(JSONError) {
            document = try JSONReader.read(value)
        } catch {
            throw LedgerRecordError(error)
        }
        try self.init(document, at: "")
    }
}

/// A record whose grammar, version, sum and single values are valid. Its lists are decoded on demand, because restoring the
/// index needs few of them.
struct LedgerRecordReader {
    let story: String
    /// The facts without the lists.
    let facts: StoryFacts
    private let record: LedgerMembers

    init(_ bytes: Span<UInt8>) throws(LedgerRecordError) {
        let record = try LedgerMembers(decoding: bytes)
        // The version first, because everything else may be of another one.
        try Self.checkVersion(record)
        try Self.checkSum(record, bytes)
        story = try record.required(record.text("story"), "story")
        var facts = StoryFacts(
            revision: try record.required(record.nonNegativeInteger("revision"), "revision"),
            eventID: try record.required(record.text("event"), "event"),
            source: try record.required(record.text("source"), "source"),
            kind: try record.required(record.choice("kind"), "kind"),
            digest: ContentDigest(value: try record.required(record.hexadecimal("digest"), "digest")),
            isFinal: try record.truth("final") ?? true,
            changedAt: try record.required(record.time("changed"), "changed")
        )
        facts.phase = try record.choice("phase") ?? .open
        let passed = try record.nonNegativeInteger("passed") ?? 0
        facts.passedRevision = passed > facts.revision ? passed : 0
        facts.isSecure = try record.truth("secure") ?? false
        facts.term = try record.nonNegativeInteger("term") ?? 0
        facts.processed =
            try record.objectIfPresent("processed").map(ProcessedOffsets.init(reading:)) ?? ProcessedOffsets()
        facts.embargo = try record.time("embargo")
        facts.wordsOffset = try record.nonNegativeInteger("words")
        facts.withdrawalOffset = try record.nonNegativeInteger("withdrawal")
        facts.isWithdrawalEarly = try record.truth("early") ?? false
        self.record = record
        self.facts = facts
    }

    private static func checkVersion(_ record: LedgerMembers) throws(LedgerRecordError) {
        let version = try record.required(record.integer("v"), "v")
        guard version == LedgerRecordCodec.version else {
            let message =
                "the record is of version \(version), this newsflash reads version \(LedgerRecordCodec.version)"
            throw LedgerRecordError(.version, "/v", message)
        }
    }

    /// Compares the sum, if the record has one, with the hash of all bytes before it.
    ///
    /// The bytes must end as ``LedgerRecordCodec`` writes them, with `"sum":"8f5b7c1d20e3a496"}`. Only white space may
    /// follow.
    private static func checkSum(_ record: LedgerMembers, _ bytes: Span<UInt8>) throws(LedgerRecordError) {
        guard let written = try record.hexadecimal("sum") else { return }
        guard record.isLast("sum") else { throw LedgerRecordError(.sum, "/sum", "must be the last member") }
        var end = bytes.count
        while end > 0, bytes[end - 1] <= 0x20 { end -= 1 }
        let name = #""sum":"#
        let start = end - name.utf8.count - #""0123456789abcdef"}"#.utf8.count
        guard start >= 0, bytes.extracting(start..<start + name.utf8.count).isEqual(to: name.utf8.span) else {
            throw LedgerRecordError(.sum, "/sum", "must be written without white space and escapes")
        }
        guard Checksum.of(bytes.extracting(0..<start)) == written else {
            throw LedgerRecordError(.sum, "/sum", "is not that of the record's bytes: it was damaged or edited")
        }
    }

    /// Compares the story with the record's key.
    func check(isOf key: Span<UInt8>) throws(LedgerRecordError) {
        guard story.utf8.span.isEqual(to: key) else {
            throw LedgerRecordError(.key, "/story", "is not the story of the record's key")
        }
    }

    /// The facts with all lists.
    func wholeFacts() throws(LedgerRecordError) -> StoryFacts {
        var facts = facts
        facts.text = try record.objects("text").map(EventText.init(reading:))
        facts.earlier = try record.hexadecimals("earlier").suffix(StoryFacts.maximumEarlier)
        facts.begun = try record.hexadecimals("begun").suffix(StoryFacts.maximumEarlier)
        facts.replaced = try record.hexadecimals("replaced").suffix(StoryFacts.maximumEarlier)
        facts.pushes = try pushes()
        facts.audiences = try record.objects("audiences").map(AudienceFact.init(reading:))
        facts.closing = try closing()
        facts.waiting = try waiting()
        return facts
    }

    func waiting() throws(LedgerRecordError) -> [StoryFacts.Waiting] {
        try record.objects("waiting").map(StoryFacts.Waiting.init(reading:))
    }

    func closing() throws(LedgerRecordError) -> [StoryFacts.Closing] {
        var closing: [StoryFacts.Closing] = []
        for members in try record.objects("closing") { closing += try StoryFacts.Closing.repeats(reading: members) }
        return closing
    }

    func pushes() throws(LedgerRecordError) -> [StoryFacts.Push] {
        try record.objects("pushes").map(StoryFacts.Push.init(reading:)).suffix(StoryFacts.Push.maximumCount)
    }
}

// MARK: - Objects

extension ProcessedOffsets {
    fileprivate init(reading members: LedgerMembers) throws(LedgerRecordError) {
        let processed = ProcessedOffsets(
            through: try members.nonNegativeInteger("through") ?? -1,
            open: try members.nonNegativeIntegers("open") ?? [],
            ahead: try members.nonNegativeIntegers("ahead") ?? []
        )
        guard let processed else { throw members.fault("the offsets do not ascend") }
        self = processed
    }
}

extension EventText {
    fileprivate init(reading members: LedgerMembers) throws(LedgerRecordError) {
        self.init(
            language: try members.required(members.text("language"), "language"),
            headline: try members.required(members.text("headline"), "headline"),
            summary: try members.text("summary")
        )
    }
}

extension StoryFacts.Push {
    fileprivate init(reading members: LedgerMembers) throws(LedgerRecordError) {
        let isSilent = try members.truth("silent") ?? false
        self.init(
            at: try members.required(members.time("at"), "at"),
            source: try members.required(members.text("source"), "source"),
            words: try members.required(members.hexadecimal("words"), "words"),
            categories: try members.texts("categories"),
            isLoud: !isSilent
        )
    }
}

extension AudienceFact {
    fileprivate init(reading members: LedgerMembers) throws(LedgerRecordError) {
        let audience = Audience(
            hub: try members.required(members.text("hub"), "hub"),
            format: try members.required(members.text("format"), "format"),
            planned: PlannedAudience(
                expression: try members.tagExpression("tags"),
                locale: try members.text("locale"),
                categories: try members.texts("categories"),
                isForUsers: try members.truth("users") ?? false
            )
        )
        let act = Act(
            id: try members.required(members.hexadecimal("act"), "act"),
            kind: try members.required(members.choice("kind"), "kind"),
            revision: try members.required(members.nonNegativeInteger("revision"), "revision"),
            at: try members.required(members.time("at"), "at")
        )
        self.init(
            audience,
            act,
            try members.choice("certainty") ?? .accepted,
            isFollowUp: try members.truth("followUp") ?? false,
            unanswered: Int(clamping: try members.nonNegativeInteger("unanswered") ?? 0)
        )
    }
}

extension LedgerMembers {
    /// Reads an expression and checks it against the hub's limits.
    fileprivate func tagExpression(_ name: String) throws(LedgerRecordError) -> TagExpression {
        let text = try required(text(name), name)
        do throws(HubValueError) {
            return try TagExpression(parsing: text)
        } catch {
            throw fault(name, error.message)
        }
    }
}

extension StoryFacts.Closing {
    /// Reads the ends of one event and its repeats, which are written together.
    fileprivate static func repeats(reading members: LedgerMembers) throws(LedgerRecordError) -> [Self] {
        let event = try members.required(members.text("event"), "event")
        let verdict = EventVerdict(
            try members.required(members.choice("outcome"), "outcome"),
            try members.text("reason"),
            try members.text("detail")
        )
        let stage: DeadLetter.Stage = try members.choice("stage") ?? .send
        return try members.required(members.nonNegativeIntegers("offsets"), "offsets").map { offset in
            Self(offset: offset, event: event, verdict: verdict, stage: stage)
        }
    }
}

extension StoryFacts.Waiting {
    fileprivate init(reading members: LedgerMembers) throws(LedgerRecordError) {
        self.init(
            offset: try members.required(members.nonNegativeInteger("offset"), "offset"),
            timestamp: try members.time("timestamp"),
            consumedAt: try members.required(members.time("consumed"), "consumed"),
            until: try members.time("until"),
            reason: try members.required(members.choice("reason"), "reason"),
            source: try members.text("source") ?? "",
            pausedAt: try members.time("paused"),
            isSuspected: try members.truth("suspected") ?? false,
            isExpress: try members.truth("express") ?? false,
            hasEnded: try members.truth("ended") ?? false,
            hubs: try members.texts("hubs"),
            attempts: Int(clamping: try members.nonNegativeInteger("attempts") ?? 0),
            key: try members.bytes("key", base64: "key_base64"),
            value: try members.required(members.bytes("value", base64: "value_base64"), "value"),
            headers: try members.objects("headers").map(Header.init(reading:))
        )
    }
}

extension StoryFacts.Waiting.Header {
    fileprivate init(reading members: LedgerMembers) throws(LedgerRecordError) {
        self.init(
            name: try members.required(members.text("name"), "name"),
            value: try members.bytes("value", base64: "value_base64")
        )
    }
}
