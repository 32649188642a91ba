import NewsflashEvents
import NewsflashTimestamps

/// The recent notifications of the partitions that this worker has or had, compared with the newsroom's caps and volume limits.
///
/// It counts by the monotonic clock. Civil time is used only for notifications in the ledger of a partition, by their age when
/// it is read. A resume forgets the counts of the volume limits in its scope. Memory is bounded: sweeps remove windows that are
/// over.
struct PushCounter: Sendable {
    /// A volume limit that an event exceeds.
    enum VolumeLimit: String, Sendable {
        case sameText
        case perSource
        case all
    }

    private let policy: AdmissionPolicy
    /// Whether anything is counted.
    let counts: Bool
    /// The longest interval of any cap or limit.
    let horizon: Duration
    private var windows: [Subject: RateWindow] = [:]
    /// The digests of the texts that each source sent.
    private var wordsOfSource: [String: Set<UInt64>] = [:]
    /// When a person last resumed a scope.
    private var resumes: [PauseScope: Instant] = [:]
    /// Events that a limit had stopped and a person resumed: no limit stops or counts them again.
    private var exempted: Set<RecordPosition> = []
    /// Identifiers of the counted notifications, by time and text, because a partition that comes back lists them again.
    private var counted: Set<UInt64> = []

    private static let sweepInterval = 4096

    /// The notifications that are counted together.
    private enum Subject: Hashable {
        /// The loud notifications under a cap, by the index of the cap in the policy.
        case cap(Int)
        case source(String)
        case words(UInt64)
        case all
    }

    init(_ policy: AdmissionPolicy) {
        self.policy = policy
        let limits = policy.volumeLimits
        let rates = [limits.sameText, limits.perSource, limits.all].compactMap(\.self)
        horizon = (policy.caps.map(\.rate.per) + rates.map(\.per)).max() ?? .zero
        counts = horizon > .zero
    }

    /// The rate of a subject; `nil` if the policy does not limit it.
    private func rate(of subject: Subject) -> Rate? {
        switch subject {
        case .cap(let index): policy.caps[index].rate
        case .source: policy.volumeLimits.perSource
        case .words: policy.volumeLimits.sameText
        case .all: policy.volumeLimits.all
        }
    }

    /// The tally under another policy. A cap or limit that is in both keeps its counts, as far back as its window has them; a
    /// new one begins with zero.
    func following(_ policy: AdmissionPolicy) -> PushCounter {
        var tally = PushCounter(policy)
        tally.counted = counted
        tally.resumes = resumes
        tally.exempted = exempted
        if policy.volumeLimits.sameText != nil { tally.wordsOfSource = wordsOfSource }
        for (subject, window) in windows {
            if case .cap = subject { continue }
            if let rate = tally.rate(of: subject) { tally.windows[subject] = window.held(to: rate) }
        }
        for (index, cap) in policy.caps.enumerated() where cap.scope == .all {
            // The cap with the most known notifications, if several have the same category.
            let known = self.policy.caps.indices
                .filter { self.policy.caps[$0].scope == .all && self.policy.caps[$0].category == cap.category }
                .compactMap { windows[.cap($0)] }
                .max { $0.latest.count < $1.latest.count }
            if let known { tally.windows[.cap(index)] = known.held(to: cap.rate) }
        }
        return tally
    }

    /// Records a notification that is about to be sent.
    mutating func record(_ push: StoryFacts.Push, of place: RecordPosition, now: Instant) {
        let wasExempt = exempted.remove(place) != nil
        // Events of one turn have the same time, and may have the same text: each of them counts.
        counted.insert(Self.name(of: push))
        count(push, at: now, forCaps: true, forLimits: !wasExempt)
        if counted.count >= Self.sweepInterval { sweep(before: now - horizon) }
    }

    /// Counts the notifications in the ledger of a partition by their age, except those that were counted before.
    ///
    /// Limits do not count notifications before the last resume of their source. A notification dated in the future has an
    /// unknown age, because a clock was set back, or that of another worker is ahead. Caps ignore it, and limits count it as
    /// new unless its source was ever resumed.
    mutating func restore(_ pushes: [StoryFacts.Push], now: Moment) {
        guard counts else { return }
        for push in pushes {
            let age = now.wall - push.at
            guard age < horizon, counted.insert(Self.name(of: push)).inserted else { continue }
            let instant = now.instant - max(.zero, age)
            let isDated = age >= .zero
            let resume = lastResume(of: push.source)
            count(push, at: instant, forCaps: isDated, forLimits: resume.map { isDated && instant > $0 } ?? true)
        }
        if counted.count >= Self.sweepInterval { sweep(before: now.instant - horizon) }
    }

    private static func name(of push: StoryFacts.Push) -> UInt64 {
        Checksum.step(UInt64(bitPattern: push.at.nanoseconds), push.words)
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
        if policy.volumeLimits.sameText != nil { wordsOfSource[push.source, default: []].insert(push.words) }
    }

    private mutating func count(_ subject: Subject, at instant: Instant) {
        guard let rate = rate(of: subject) else { return }
        windows[subject, default: RateWindow(rate)].record(at: instant)
    }

    private func isFull(_ subject: Subject, at now: Instant) -> Bool { windows[subject]?.isFull(at: now) ?? false }

    // MARK: - Resumes

    /// Forgets the counts of the volume limits in a scope, because a person has looked at it.
    ///
    /// - Parameters:
    ///   - scope: The scope. Resuming one source does not empty the window of all sources. An event or a topic changes nothing.
    ///   - instant: The time of the resume. Older notifications that the ledger lists later are not counted.
    mutating func resume(_ scope: PauseScope, at instant: Instant) {
        switch scope {
        case .all:
            resumes[scope] = instant
            windows = windows.filter { if case .cap = $0.key { true } else { false } }
            wordsOfSource = [:]
        case .source(let source):
            resumes[scope] = instant
            windows[.source(source)] = nil
            for words in wordsOfSource.removeValue(forKey: source) ?? [] { windows[.words(words)] = nil }
        case .event, .topic: break
        }
    }

    private func lastResume(of source: String) -> Instant? {
        guard !resumes.isEmpty else { return nil }
        return [PauseScope.all, .source(source)].compactMap { resumes[$0] }.max()
    }

    /// Exempts an event from all limits, because one of them had stopped it and a person resumed it.
    mutating func exempt(_ place: RecordPosition) { exempted.insert(place) }

    /// Whether a limit had stopped an event and a person resumed it.
    func isExempt(_ place: RecordPosition) -> Bool { !exempted.isEmpty && exempted.contains(place) }

    /// Forgets an event that has ended.
    mutating func forgetExemption(of place: RecordPosition) { exempted.remove(place) }

    /// Forgets events that another worker decides on.
    mutating func forgetExemptions(where isOver: (RecordPosition) -> Bool) {
        if !exempted.isEmpty { exempted = exempted.filter { !isOver($0) } }
    }

    // MARK: - Limits and caps

    /// The limit that one more notification would exceed; `nil` if it may go.
    func exceededLimit(for push: StoryFacts.Push, now: Instant) -> VolumeLimit? {
        if isFull(.all, at: now) { return .all }
        if isFull(.source(push.source), at: now) { return .perSource }
        return isFull(.words(push.words), at: now) ? .sameText : nil
    }

    /// Whether a push has to be silent because a cap is used up, over all stories or by the notifications of its story. Of
    /// these, notifications dated in the future do not count.
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
