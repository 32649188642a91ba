import NewsflashEvents
import NewsflashPublishing
import NewsflashRouting
import NewsflashTestSupport
import NewsflashTimestamps
import NotificationHubs

extension StoryFacts {
    /// A record of a story sent in three languages with one request.
    static func typical(_ number: Int, changedAt: Timestamp = Timestamp(seconds: 1_772_440_800)) throws -> StoryFacts {
        var record = StoryFacts(
            revision: 2,
            eventID: "urn:newsml:desk:20260302:e\(number)",
            source: "https://desk.example/wire",
            kind: .alert,
            digest: ContentDigest(value: 0x9E37_79B9_7F4A_7C15 &* UInt64(truncatingIfNeeded: number)),
            isFinal: true,
            changedAt: changedAt
        )
        record.text = [
            EventText(language: "en", headline: "Earthquake shakes the coast"),
            EventText(language: "de", headline: "Erdbeben erschüttert die Küste"),
            EventText(language: "fr", headline: "Un séisme secoue la côte"),
        ]
        record.audiences = [
            AudienceFact(
                Audience(
                    hub: "main",
                    format: "template",
                    planned: PlannedAudience(
                        expression: try TagExpression(parsing: "world || breaking"),
                        locale: nil,
                        categories: ["world"]
                    )
                ),
                AudienceFact.Act(id: 7, kind: .alert, revision: 2, at: changedAt - .milliseconds(40)),
                .accepted
            )
        ]
        record.processed.finish(Int64(number), begun: [], frontier: Int64(number) + 1)
        return record
    }

    /// A random record with extreme names and numbers.
    static func random(using generator: inout SeededGenerator) throws -> StoryFacts {
        var record = StoryFacts(
            revision: Bool.random(using: &generator) ? .random(in: 0...9, using: &generator) : 1 << 53 - 1,
            eventID: .random(using: &generator),
            source: .random(using: &generator),
            kind: EventKind.allCases.randomElement(using: &generator) ?? .flash,
            digest: ContentDigest(value: generator.next()),
            isFinal: .random(using: &generator),
            changedAt: .random(using: &generator)
        )
        if Bool.random(using: &generator) { record.recordPassed(.random(in: 0...12, using: &generator)) }
        record.isSecure = .random(using: &generator)
        record.phase = Phase.allCases.randomElement(using: &generator) ?? .open
        for _ in 0..<Int.random(in: 0...3, using: &generator) {
            let summary: String? = Bool.random(using: &generator) ? .random(using: &generator) : nil
            record.text.append(
                EventText(
                    language: .random(using: &generator),
                    headline: .random(using: &generator),
                    summary: summary
                )
            )
        }
        for _ in 0..<Int.random(in: 0...2, using: &generator) { record.earlier.append(generator.next()) }
        for _ in 0..<Int.random(in: 0...1, using: &generator) { record.begun.append(generator.next()) }
        for _ in 0..<Int.random(in: 0...1, using: &generator) { record.replaced.append(generator.next()) }
        for _ in 0..<Int.random(in: 0...2, using: &generator) { record.pushes.append(.random(using: &generator)) }
        for _ in 0..<Int.random(in: 0...4, using: &generator) {
            record.audiences.append(try .random(using: &generator))
        }
        for _ in 0..<Int.random(in: 0...6, using: &generator) {
            record.processed.finish(
                .random(in: 0...1000, using: &generator),
                begun: (0..<2).map { _ in .random(in: 0...1000, using: &generator) },
                frontier: .random(in: 0...1000, using: &generator)
            )
        }
        if Bool.random(using: &generator) { record.wordsOffset = .random(in: 0...1000, using: &generator) }
        if Bool.random(using: &generator) { record.withdrawalOffset = .random(in: 0...1000, using: &generator) }
        record.isWithdrawalEarly = .random(using: &generator)
        if Bool.random(using: &generator) {
            record.embargo = Timestamp(seconds: .random(in: 1_772_440_000...1_772_450_000, using: &generator))
        }
        if Int.random(in: 0..<3, using: &generator) == 0 { record.closing = [.random(using: &generator)] }
        if Int.random(in: 0..<3, using: &generator) == 0 {
            record.waiting = [.random(using: &generator), .random(using: &generator)]
        }
        return record
    }
}

extension StoryFacts.Push {
    static func random(using generator: inout SeededGenerator) -> Self {
        Self(
            at: .random(using: &generator),
            source: .random(using: &generator),
            words: generator.next(),
            categories: (0..<Int.random(in: 0...2, using: &generator)).map { _ in .random(using: &generator) },
            isLoud: .random(using: &generator)
        )
    }
}

extension AudienceFact {
    static func random(using generator: inout SeededGenerator) throws -> Self {
        let tags = ["world", "sports || world", "(a || b) && !muted", "$UserId:{anna}"]
        let locale: String? = Bool.random(using: &generator) ? .random(using: &generator) : nil
        return Self(
            Audience(
                hub: ["main", "second"].randomElement(using: &generator) ?? "",
                format: ["template", "apns", .random(using: &generator)].randomElement(using: &generator) ?? "",
                planned: PlannedAudience(
                    expression: try TagExpression(parsing: tags.randomElement(using: &generator) ?? "world"),
                    locale: locale,
                    categories: (0..<Int.random(in: 0...2, using: &generator)).map { _ in .random(using: &generator) },
                    isForUsers: .random(using: &generator)
                )
            ),
            Act(
                id: generator.next(),
                kind: EventKind.allCases.randomElement(using: &generator) ?? .alert,
                revision: .random(in: 0...5, using: &generator),
                at: .random(using: &generator)
            ),
            Certainty.allCases.randomElement(using: &generator) ?? .accepted
        )
    }
}

extension StoryFacts.Closing {
    static func random(using generator: inout SeededGenerator) -> Self {
        let reason: String? = Bool.random(using: &generator) ? "failed.refused" : nil
        let detail: String? = Bool.random(using: &generator) ? .random(using: &generator) : nil
        return Self(
            offset: .random(in: 0...(.max), using: &generator),
            event: .random(using: &generator),
            verdict: EventVerdict(OutcomeKind.allCases.randomElement(using: &generator) ?? .sent, reason, detail),
            stage: [.decode, .gate, .map, .render, .send].randomElement(using: &generator) ?? .send
        )
    }
}

extension StoryFacts.Waiting {
    static func random(using generator: inout SeededGenerator) -> Self {
        let isText = Bool.random(using: &generator)
        func bytes() -> [UInt8] {
            if isText { return Array(String.random(using: &generator).utf8) }
            return (0..<Int.random(in: 0...40, using: &generator)).map { _ in .random(in: 0...255, using: &generator) }
        }
        return Self(
            offset: .random(in: 0...(.max), using: &generator),
            timestamp: Bool.random(using: &generator) ? .random(using: &generator) : nil,
            consumedAt: .random(using: &generator),
            until: Bool.random(using: &generator) ? .random(using: &generator) : nil,
            reason: StoryFacts.WaitReason.allCases.randomElement(using: &generator) ?? .retry,
            source: .random(using: &generator),
            pausedAt: Bool.random(using: &generator) ? .random(using: &generator) : nil,
            isSuspected: .random(using: &generator),
            isExpress: .random(using: &generator),
            hasEnded: .random(using: &generator),
            hubs: (0..<Int.random(in: 0...2, using: &generator)).map { _ in .random(using: &generator) },
            attempts: .random(in: 0...9, using: &generator),
            key: Bool.random(using: &generator) ? bytes() : nil,
            value: bytes(),
            headers: (0..<Int.random(in: 0...2, using: &generator)).map { _ in
                Header(name: .random(using: &generator), value: Bool.random(using: &generator) ? bytes() : nil)
            }
        )
    }
}

extension String {
    static func random(using generator: inout SeededGenerator) -> String {
        let pieces = [
            "", "a", "news", "é", "e\u{301}", "\"", "\\", "\n", "\u{0}", "\u{2028}", "日本", "😀", "/", "long text ",
        ]
        return (0..<Int.random(in: 0...6, using: &generator)).map { _ in pieces.randomElement(using: &generator) ?? "" }
            .joined()
    }
}

extension Timestamp {
    static func random(using generator: inout SeededGenerator) -> Timestamp {
        switch Int.random(in: 0..<3, using: &generator) {
        case 0: Timestamp(milliseconds: .random(in: -10_000...2_000_000_000_000, using: &generator))
        case 1: Timestamp(seconds: .random(in: 0...2_000_000_000, using: &generator))
        default: Timestamp(nanoseconds: .random(in: (.min)...(.max), using: &generator))
        }
    }
}
