package import NewsflashEvents
import NewsflashRouting
package import NewsflashTimestamps
package import NotificationHubs

/// A fact about one audience of a story.
///
/// An audience can have one fact of each certainty, for example an accepted alert and a correction without an answer.
package struct AudienceFact: Sendable, Equatable {
    /// How certain it is that the audience was notified.
    package enum Certainty: String, Sendable, CaseIterable {
        /// A hub accepted the request.
        case accepted
        /// A hub may have accepted the request: it was in flight, or got no answer.
        case possible
        /// An earlier owner of the partition crashed and may have sent it just before; the ledger has no record of it. Only
        /// withdrawals go there.
        case suspected
        /// Nothing was sent: a newer event superseded one that had reached only other audiences.
        case owed
    }

    /// The act of which an audience was notified.
    package struct Act: Sendable, Equatable {
        /// `NewsEvent.act` of the event.
        package var id: UInt64
        package var kind: EventKind
        package var revision: Int64
        /// The time of the answer; for an act that is owed, the time of its end.
        package var at: Timestamp

        package init(id: UInt64, kind: EventKind, revision: Int64, at: Timestamp) {
            self.id = id
            self.kind = kind
            self.revision = revision
            self.at = at
        }

        init(of event: NewsEvent, at: Timestamp) {
            self.init(id: event.act, kind: event.kind, revision: event.revision, at: at)
        }
    }

    package let audience: Audience
    package var act: Act
    package var certainty: Certainty
    /// Whether the audience was, or may have been, notified of another act before, so that the event went to it as a follow-up.
    package var isFollowUp: Bool
    /// The number of attempts of the act without a definite answer, for a possible fact; zero if it is not recorded.
    package var unanswered = 0

    package init(
        _ audience: Audience,
        _ act: Act,
        _ certainty: Certainty,
        isFollowUp: Bool = false,
        unanswered: Int = 0
    ) {
        self.audience = audience
        self.act = act
        self.certainty = certainty
        self.isFollowUp = isFollowUp
        self.unanswered = unanswered
    }

    package var hub: String { audience.hub }
    /// `template`, or the format of a native payload such as `apns`.
    package var format: String { audience.format }
    /// The language of the request; `nil` if it contained all languages.
    package var locale: String? { audience.planned.locale }
    package var expression: TagExpression { audience.planned.expression }
    package var isForUsers: Bool { audience.planned.isForUsers }

    /// Whether a hub accepted a request for the audience, or may have.
    package var isNotified: Bool { certainty == .accepted || certainty == .possible }

    /// Whether both have the same hub, format, audience and language.
    func isSameAudience(as other: AudienceFact) -> Bool { audience.areSame(as: other.audience) }

    /// Whether both list users of the same hub and format.
    fileprivate func mayShareUsers(with other: AudienceFact) -> Bool {
        isForUsers && other.isForUsers && hub == other.hub && format == other.format
    }
}

// MARK: - Recording

extension StoryFacts {
    /// Records that a hub accepted a request. This replaces possible acceptance for the same audience.
    ///
    /// Each user is kept in the fact of the latest request that named the user, so that the facts do not grow with revisions.
    package mutating func recordAccepted(_ audience: Audience, _ act: AudienceFact.Act) {
        let fact = fact(audience, act, .accepted)
        if fact.isForUsers { audiences.removeUsers(of: fact) }
        if audiences.isEmpty {
            audiences = [fact]
        } else {
            audiences.removeAll { $0.certainty != .accepted && $0.isSameAudience(as: fact) }
            audiences.put(fact)
        }
    }

    /// Creates a fact, determines whether the audience was notified of another act before, and records which one.
    private mutating func fact(
        _ audience: Audience,
        _ act: AudienceFact.Act,
        _ certainty: AudienceFact.Certainty
    ) -> AudienceFact {
        var fact = AudienceFact(audience, act, certainty)
        lazy var users = Set(fact.expression.tags)
        for other in audiences where other.certainty != .owed && (other.act.id != act.id || other.isFollowUp) {
            guard
                other.isSameAudience(as: fact)
                    || other.mayShareUsers(with: fact) && !users.isDisjoint(with: other.expression.tags)
            else { continue }
            fact.isFollowUp = true
            if other.act.id != act.id, other.act.kind != .kill { recordReplaced(other.act.id) }
        }
        return fact
    }

    /// Records that a hub may have accepted a request.
    ///
    /// - Parameters:
    ///   - audience: The subscribers.
    ///   - act: The act of the request.
    ///   - unanswered: The number of attempts so far without a definite answer.
    package mutating func recordPossible(_ audience: Audience, _ act: AudienceFact.Act, unanswered: Int = 0) {
        var fact = fact(audience, act, .possible)
        fact.unanswered = unanswered
        if fact.isForUsers { audiences.removeUsers(of: fact) { $0.certainty != .accepted } }
        audiences.put(fact)
        audiences.removeAll {
            ($0.certainty == .owed || $0.certainty == .suspected) && $0.audience.areSame(as: audience)
        }
    }

    /// Records that an earlier owner may have sent an event just before its crash.
    mutating func recordSuspected(_ audience: Audience, _ act: AudienceFact.Act) {
        let suspected = AudienceFact(audience, act, .suspected)
        let known = audiences.filter { $0.certainty != .owed }
        guard !known.contains(where: { $0.isSameAudience(as: suspected) }) else { return }
        guard suspected.isForUsers else { return audiences.append(suspected) }
        // Users with a more certain fact are in the facts of other requests.
        var unknown = [suspected]
        for fact in known where fact.isForUsers { unknown.removeUsers(of: fact) }
        audiences += unknown
    }

    /// Records that an event was superseded before it reached an audience.
    mutating func recordOwed(_ audience: Audience, _ act: AudienceFact.Act) {
        guard !audiences.contains(where: { $0.isNotified && $0.audience.areSame(as: audience) }) else { return }
        audiences.put(AudienceFact(audience, act, .owed))
    }
}

// MARK: - Queries

extension StoryFacts {
    /// Whether subscribers were, or may have been, notified of the story.
    package var wasNotified: Bool { audiences.contains(where: \.isNotified) }

    /// Whether hubs accepted, or may have accepted, a withdrawal that has not ended: nothing may follow it.
    var isBeingWithdrawn: Bool { audiences.contains { $0.act.kind == .kill && $0.isNotified } }

    /// The acts of other events of which subscribers were, or may have been, notified, without withdrawals.
    func newsSent(besides event: NewsEvent) -> some Collection<AudienceFact.Act> {
        audiences.lazy.filter { $0.isNotified && $0.act.kind != .kill && $0.act.id != event.act }.map(\.act)
    }

    /// The audiences that were, or may have been, notified: each once, with the more certain of two facts.
    package var notified: [AudienceFact] {
        let accepted = audiences.filter { $0.certainty == .accepted }
        let possible = audiences.filter { fact in
            fact.certainty == .possible && !accepted.contains { $0.isSameAudience(as: fact) }
        }
        return accepted + possible
    }

    /// The audiences that an earlier event of the story should have notified and did not.
    var owed: [AudienceFact] { audiences.filter { $0.certainty == .owed } }

    /// The audiences that a withdrawal has to reach: they were, or may have been, notified, and no hub accepted the withdrawal
    /// for them after that; or an earlier owner may have notified them just before its crash.
    package var awaitingWithdrawal: [AudienceFact] {
        let known = notified
        let suspected = audiences.filter { fact in
            fact.certainty == .suspected && !known.contains { $0.isSameAudience(as: fact) }
        }
        let waiting = known.filter { $0.act.kind != .kill || $0.certainty == .possible }
        return waiting + audiences.filter(isNewsAfterWithdrawal) + suspected
    }

    /// Whether it is news that a hub may have accepted after it had accepted the withdrawal for the same audience: a crashed
    /// owner had withdrawn the news that its successor was sending again. An accepted request removes possible acceptance from
    /// before.
    private func isNewsAfterWithdrawal(_ fact: AudienceFact) -> Bool {
        fact.certainty == .possible && fact.act.kind != .kill
            && audiences.contains {
                $0.certainty == .accepted && $0.act.kind == .kill && $0.isSameAudience(as: fact)
            }
    }

    /// The fact of this act for an audience, if a hub accepted it and no news went there after a withdrawal. For a replay that
    /// sends again, only requests after the replay order count.
    func isAccepted(_ event: NewsEvent, by audience: Audience) -> AudienceFact? {
        let fact = audiences.first {
            $0.certainty == .accepted && $0.act.id == event.act && $0.audience.areSame(as: audience)
        }
        if let fact, let replay = event.replay, replay.isAgain, fact.act.at < replay.at { return nil }
        guard event.kind == .kill else { return fact }
        return audiences.filter(isNewsAfterWithdrawal).contains { $0.audience.areSame(as: audience) } ? nil : fact
    }

    /// The facts of accepted requests of this act, except those for the audiences of some requests.
    func accepted(_ event: NewsEvent, besides sends: [PlannedSend]) -> [AudienceFact] {
        audiences.filter { fact in
            fact.certainty == .accepted && fact.act.id == event.act
                && !sends.contains { $0.audience.areSame(as: fact.audience) }
                && event.replay.map { !$0.isAgain || fact.act.at >= $0.at } ?? true
        }
    }

    /// Forgets the numbers of attempts of an act whose event has ended: if it is published again, the count starts at zero.
    mutating func forgetAttempts(of act: UInt64) {
        for index in audiences.indices where audiences[index].unanswered > 0 && audiences[index].act.id == act {
            audiences[index].unanswered = 0
        }
    }

    /// The number of attempts of an event for an audience that a hub may have accepted, at least one; `nil` without any.
    ///
    /// A repetition on a person's order begins to count again.
    func unansweredAttempts(of event: NewsEvent, for audience: Audience) -> Int? {
        let possible = audiences.first {
            $0.certainty == .possible && $0.act.id == event.act && $0.audience.areSame(as: audience)
        }
        guard let possible else { return nil }
        let isRepeated = event.replay.map { $0.isAgain && possible.act.at < $0.at } ?? false
        return isRepeated ? 1 : max(1, possible.unanswered)
    }
}

extension [AudienceFact] {
    /// Replaces the fact with the same audience and certainty, or adds the fact.
    fileprivate mutating func put(_ new: AudienceFact) {
        if let index = firstIndex(where: { $0.certainty == new.certainty && $0.isSameAudience(as: new) }) {
            self[index] = new
        } else {
            append(new)
        }
    }

    /// Adds a fact, unless a later one of the same audience and certainty exists.
    private mutating func unite(_ fact: AudienceFact) {
        let index = firstIndex { $0.certainty == fact.certainty && $0.isSameAudience(as: fact) }
        guard let index else { return append(fact) }
        let known = self[index]
        if known.act.isBefore(fact.act) { self[index] = fact }
        // Each writer counted the attempts that it knew of.
        if known.act.id == fact.act.id { self[index].unanswered = Swift.max(known.unanswered, fact.unanswered) }
    }

    /// Merges the facts of another writer.
    mutating func formUnion(_ others: [AudienceFact]) {
        for other in others { unite(other) }
        for accepted in self where accepted.certainty == .accepted && accepted.isForUsers {
            removeUsers(of: accepted) { fact in
                guard fact.certainty == .accepted else { return accepted.settles(fact) }
                return fact.act.kind != .kill && fact.act.isBefore(accepted.act)
            }
        }
        // Two facts that have lost users may have the same audience now.
        let split = self
        self = []
        for fact in split { unite(fact) }
        let all = self
        removeAll { fact in
            switch fact.certainty {
            case .accepted: false
            case .possible:
                all.contains { $0.certainty == .accepted && $0.isSameAudience(as: fact) && $0.settles(fact) }
            case .owed, .suspected:
                all.contains { $0.isNotified && $0.isSameAudience(as: fact) }
            }
        }
    }
}

extension AudienceFact {
    /// Whether it decides about a request of the same audience that may have been accepted. The answer to an earlier revision
    /// may come later.
    fileprivate func settles(_ possible: AudienceFact) -> Bool {
        act.id == possible.act.id || possible.act.isBefore(act)
    }
}

extension AudienceFact.Act {
    /// Whether another act replaces this one; never true in both directions.
    fileprivate func isBefore(_ other: Self) -> Bool {
        // Clocks may have been set back. Revisions give no order between news and a withdrawal.
        if (kind == .kill) == (other.kind == .kill), revision != other.revision { return revision < other.revision }
        if at != other.at { return at < other.at }
        if revision != other.revision { return revision < other.revision }
        return id < other.id
    }
}
