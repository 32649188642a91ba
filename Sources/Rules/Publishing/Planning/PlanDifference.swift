/// The difference between two plans of one event for subscribers: who is notified, and with which content.
package struct PlanDifference: Sendable, Equatable {
    /// The effect of a difference on subscribers.
    package enum Kind: String, Sendable, CaseIterable {
        /// No difference.
        case same
        /// The same subscribers get another text, or another loudness.
        case words
        /// Some are not notified any more, and others are notified instead.
        case audience
        /// Some are not notified any more.
        case lost
        /// Some are notified who were not before.
        case gained
    }

    /// Subscribers who are notified by the same hub and platform.
    package struct ComparedAudience: Sendable, Hashable, Comparable, CustomStringConvertible {
        package var hub: String
        package var platform: String
        /// A tag, or an expression that is not a list of tags.
        package var tags: String

        package init(hub: String, platform: String, tags: String) {
            self.hub = hub
            self.platform = platform
            self.tags = tags
        }

        /// The audience in the form `main, template: Politics`.
        package var description: String { "\(hub), \(platform): \(tags)" }

        package static func < (left: ComparedAudience, right: ComparedAudience) -> Bool {
            (left.hub, left.platform, left.tags) < (right.hub, right.platform, right.tags)
        }
    }

    package let kind: Kind
    /// The audiences that were notified before and are not after; in order.
    package let lost: [ComparedAudience]
    /// The audiences that are notified after and were not before; in order.
    package let gained: [ComparedAudience]
    /// The audiences that are notified by both plans with different content; in order.
    package let reworded: [ComparedAudience]

    /// Compares the requests of two plans; a plan without requests notifies nobody.
    ///
    /// A list of tags is compared tag by tag, because the grouping of tags into requests does not matter to subscribers.
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

    private static func byAudience(_ requests: [OutcomeRecord.Request]) -> [ComparedAudience: [OutcomeRecord.Request]] {
        var found: [ComparedAudience: [OutcomeRecord.Request]] = [:]
        for request in requests {
            for tags in parts(of: request.tags) {
                let audience = ComparedAudience(hub: request.hub, platform: request.platform, tags: tags)
                found[audience, default: []].append(request)
            }
        }
        return found
    }

    /// The tags of a plain list; otherwise the whole expression.
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
    /// Whether a request of the same audience has the same content, as far as both are known.
    fileprivate func saysTheSame(as other: OutcomeRecord.Request) -> Bool {
        func agree<Value: Equatable>(_ left: Value?, _ right: Value?) -> Bool {
            guard let left, let right else { return true }
            return left == right
        }
        return locale == other.locale && agree(template, other.template) && agree(interruption, other.interruption)
            && agree(digest, other.digest)
    }
}
