import NewsEvents
import Timestamps

/// The notifications of the partitions that this worker has or had, compared with the newsroom's caps and volume limits.
///
/// It counts by the monotonic clock. Civil time is used only for what the ledger of a partition brings, by its age at that
/// moment. A release forgets what the limits have counted of its scope. Memory is bounded: the next sweep removes windows
/// that are over.
struct PushTally: Sendable {
    /// A volume limit that an event exceeds.
    enum Brake: String, Sendable {
        case sameText
        case perSource
        case all
    }

    private let policy: GatePolicy
    /// Whether anything is counted.
    let counts: Bool
    /// How far back anything counts.
    let horizon: Duration
    private var windows: [Subject: RateWindow] = [:]
    /// The words that each source notified of.
    private var wordsOfSource: [String: Set<UInt64>] = [:]
    /// When a person last released a scope.
    private var releases: [HoldScope: Instant] = [:]
    /// Events that a limit had stopped and a person released: no limit stops them again, or counts them.
    private var letGo: Set<EventID> = []
    /// Names of the notifications that were counted, by time and words, because a partition that comes back brings it again.
    private var counted: Set<UInt64> = []

    private static let sweepInterval = 4096

    /// The notifications that are counted together.
    private enum Subject: Hashable {
        /// The loud ones that a cap covers, by the place of the cap in the policy.
        case cap(Int)
        case source(String)
        case words(UInt64)
        case all
    }

    init(_ policy: GatePolicy) {
        self.policy = policy
        let rates = [policy.brake.sameText, policy.brake.perSource, policy.brake.all].compactMap(\.self)
        horizon = (policy.caps.map(\.rate.per) + rates.map(\.per)).max() ?? .zero
        counts = horizon > .zero
    }

    /// The rate of a subject; `nil` if the policy does not limit it.
    private func rate(of subject: Subject) -> Rate? {
        switch subject {
        case .cap(let index): policy.caps[index].rate
        case .source: policy.brake.perSource
        case .words: policy.brake.sameText
        case .all: policy.brake.all
        }
    }

    /// The count under another policy: each cap and brake that both have goes on with what it has seen, as far back as its
    /// window kept it; a new one begins with nothing.
    func following(_ policy: GatePolicy) -> PushTally {
        var tally = PushTally(policy)
        tally.counted = counted
        tally.releases = releases
        tally.letGo = letGo
        if policy.brake.sameText != nil { tally.wordsOfSource = wordsOfSource }
        for (subject, window) in windows {
            if case .cap = subject { continue }
            if let rate = tally.rate(of: subject) { tally.windows[subject] = window.held(to: rate) }
        }
        for (index, cap) in policy.caps.enumerated() where cap.scope == .all {
            // Of several caps on a category, the one that knows the most notifications.
            let known = self.policy.caps.indices
                .filter { self.policy.caps[$0].scope == .all && self.policy.caps[$0].category == cap.category }
                .compactMap { windows[.cap($0)] }
                .max { $0.latest.count < $1.latest.count }
            if let known { tally.windows[.cap(index)] = known.held(to: cap.rate) }
        }
        return tally
    }

    /// Counts a notification that is about to be sent.
    mutating func note(_ push: StoryFacts.Push, of event: EventID, now: Instant) {
        let wasLetGo = letGo.remove(event) != nil
        // Events of one turn have the same time, and may have the same words: each of them counts.
        counted.insert(Self.name(of: push))
        count(push, at: now, forCaps: true, forLimits: !wasLetGo)
        if counted.count >= Self.sweepInterval { sweep(before: now - horizon) }
    }

    /// Counts what the ledger of a partition brings, by its age; what was counted before is not counted again.
    ///
    /// Limits do not count what is older than the last release of its source. A notification dated in the future is of
    /// unknown age: a clock was set back, or that of another worker is ahead. It makes nothing silent, and limits count it as
    /// new unless its source was ever released.
    mutating func restore(_ pushes: [StoryFacts.Push], now: Moment) {
        guard counts else { return }
        for push in pushes {
            let age = now.wall - push.at
            guard age < horizon, counted.insert(Self.name(of: push)).inserted else { continue }
            let instant = now.instant - max(.zero, age)
            let isDated = age >= .zero
            let release = lastRelease(of: push.source)
            count(push, at: instant, forCaps: isDated, forLimits: release.map { isDated && instant > $0 } ?? true)
        }
        if counted.count >= Self.sweepInterval { sweep(before: now.instant - horizon) }
    }

    private static func name(of push: StoryFacts.Push) -> UInt64 {
        ByteSum.step(UInt64(bitPattern: push.at.nanoseconds), push.words)
    }

    private mutating func count(_ push: StoryFacts.Push, at instant: Instant, forCaps: Bool, forLimits: Bool) {
        if forCaps, push.isLoud {
            for (index, cap) in policy.caps.enumerated() where cap.scope == .all {
                if push.categories.contains(where: cap.covers) { count(.cap(index), at: instant) }
            }
        }
        guard forLimits else { return }
        count(.source(push.source), at: instant)
        count(.words(push.words), at: instant)
        count(.all, at: instant)
        if policy.brake.sameText != nil { wordsOfSource[push.source, default: []].insert(push.words) }
    }

    private mutating func count(_ subject: Subject, at instant: Instant) {
        guard let rate = rate(of: subject) else { return }
        windows[subject, default: RateWindow(rate)].note(at: instant)
    }

    private func isFull(_ subject: Subject, at now: Instant) -> Bool { windows[subject]?.isFull(at: now) ?? false }

    // MARK: - Releases

    /// Forgets what the limits have counted of a scope: a person has looked at it.
    ///
    /// - Parameters:
    ///   - scope: A release of one source does not empty the window of all sources. A story or a topic changes nothing.
    ///   - instant: The moment of the release. Older notifications that the ledger brings later are not counted.
    mutating func release(_ scope: HoldScope, at instant: Instant) {
        switch scope {
        case .all:
            releases[scope] = instant
            windows = windows.filter { if case .cap = $0.key { true } else { false } }
            wordsOfSource = [:]
        case .source(let source):
            releases[scope] = instant
            windows[.source(source)] = nil
            for words in wordsOfSource.removeValue(forKey: source) ?? [] { windows[.words(words)] = nil }
        case .story, .topic: break
        }
    }

    private func lastRelease(of source: String) -> Instant? {
        guard !releases.isEmpty else { return nil }
        return [HoldScope.all, .source(source)].compactMap { releases[$0] }.max()
    }

    /// Lets an event pass all limits that one of them had stopped and a person released.
    mutating func letGo(_ event: EventID) {
        if counts { letGo.insert(event) }
    }

    /// Whether a person let an event go that a limit had stopped.
    func isLetGo(_ event: EventID) -> Bool { !letGo.isEmpty && letGo.contains(event) }

    /// Forgets events that have ended without being sent.
    mutating func forgetLetGo(where isOver: (EventID) -> Bool) {
        if !letGo.isEmpty { letGo = letGo.filter { !isOver($0) } }
    }

    // MARK: - Limits and caps

    /// The limit that one more notification would exceed; `nil` if it may go.
    func brake(for push: StoryFacts.Push, now: Instant) -> Brake? {
        if isFull(.all, at: now) { return .all }
        if isFull(.source(push.source), at: now) { return .perSource }
        return isFull(.words(push.words), at: now) ? .sameText : nil
    }

    /// Whether a push has to be silent because a cap is used up, by itself or with the notifications of its story. Of these,
    /// notifications dated in the future do not count.
    func isCapped(_ push: StoryFacts.Push, after story: [StoryFacts.Push], now: Instant) -> Bool {
        policy.caps.indices.contains { index in
            let cap = policy.caps[index]
            let covered = push.categories.filter(cap.covers)
            guard !covered.isEmpty else { return false }
            guard cap.scope == .story else { return isFull(.cap(index), at: now) }
            let recent = story.filter { $0.isLoud && $0.at <= push.at && $0.at > push.at - cap.rate.per }
            return covered.contains { category in
                recent.count { $0.categories.contains(category) } >= cap.rate.count
            }
        }
    }

    private mutating func sweep(before oldest: Instant) {
        counted = []
        windows = windows.filter { subject, window in
            switch subject {
            case .source, .words: window.latest.last.map { $0 > oldest } ?? false
            case .cap, .all: true
            }
        }
        wordsOfSource = wordsOfSource.compactMapValues { words in
            let recent = words.filter { windows[.words($0)] != nil }
            return recent.isEmpty ? nil : recent
        }
    }
}
