/// How two plans of one event differ, for readers: who is told, and what.
package struct PlanDifference: Sendable, Equatable {
    /// What a difference means for readers.
    package enum Kind: String, Sendable, CaseIterable {
        /// None.
        case same
        /// The same readers are told something else, or as loud or silent as before no more.
        case words
        /// Some are told no more, and others are told instead.
        case audience
        /// Some are told no more.
        case lost
        /// Some are told who were not.
        case gained
    }

    /// Readers who are told by one way.
    package struct Audience: Sendable, Hashable, Comparable, CustomStringConvertible {
        package var hub: String
        package var platform: String
        /// A tag, or an expression that is no list of tags.
        package var tags: String

        package init(hub: String, platform: String, tags: String) {
            self.hub = hub
            self.platform = platform
            self.tags = tags
        }

        /// Such as `main, template: Politics`.
        package var description: String { "\(hub), \(platform): \(tags)" }

        package static func < (left: Audience, right: Audience) -> Bool {
            (left.hub, left.platform, left.tags) < (right.hub, right.platform, right.tags)
        }
    }

    package let kind: Kind
    /// Who was told before, and is not after; in order.
    package let lost: [Audience]
    /// Who is told after, and was not before; in order.
    package let gained: [Audience]
    /// Who is told by both, but not the same; in order.
    package let reworded: [Audience]

    /// Compares two plans, each by its requests; a plan without any notifies nobody.
    ///
    /// A list of tags is taken tag by tag: how they are put together in requests makes no difference to readers.
    package init(before: [OutcomeRecord.Request], after: [OutcomeRecord.Request]) {
        let old = Self.byAudience(before)
        let new = Self.byAudience(after)
        lost = old.keys.filter { new[$0] == nil }.sorted()
        gained = new.keys.filter { old[$0] == nil }.sorted()
        reworded = old.compactMap { audience, requests in
            new[audience].flatMap { Self.saySame(requests, $0) ? nil : audience }
        }.sorted()
        kind =
            switch (lost.isEmpty, gained.isEmpty) {
            case (false, false): .audience
            case (false, true): .lost
            case (true, false): .gained
            case (true, true): reworded.isEmpty ? .same : .words
            }
    }

    private static func byAudience(_ requests: [OutcomeRecord.Request]) -> [Audience: [OutcomeRecord.Request]] {
        var found: [Audience: [OutcomeRecord.Request]] = [:]
        for request in requests {
            for tags in parts(of: request.tags) {
                let audience = Audience(hub: request.hub, platform: request.platform, tags: tags)
                found[audience, default: []].append(request)
            }
        }
        return found
    }

    /// The tags of a plain list; else the expression as it is.
    private static func parts(of expression: String) -> [String] {
        let isMixed = expression.utf8.contains { $0 == UInt8(ascii: "&") || $0 == UInt8(ascii: "!") }
        guard !isMixed, expression.utf8.contains(UInt8(ascii: "|")) else { return [expression] }
        return expression.split { "| ()".contains($0) }.map(String.init)
    }

    private static func saySame(_ old: [OutcomeRecord.Request], _ new: [OutcomeRecord.Request]) -> Bool {
        old.allSatisfy { request in new.contains { request.saysTheSame(as: $0) } }
            && new.allSatisfy { request in old.contains { request.saysTheSame(as: $0) } }
    }
}

extension OutcomeRecord.Request {
    /// Whether a request of the same audience says the same, as far as what both say is known.
    fileprivate func saysTheSame(as other: OutcomeRecord.Request) -> Bool {
        func agree<Value: Equatable>(_ left: Value?, _ right: Value?) -> Bool {
            guard let left, let right else { return true }
            return left == right
        }
        return locale == other.locale && agree(template, other.template) && agree(interruption, other.interruption)
            && agree(digest, other.digest)
    }
}
