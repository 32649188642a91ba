import NewsEvents
import Timestamps

/// What this worker pushed of late, held to the newsroom's caps and brakes.
///
/// It counts the events of the partitions that this worker has or had; what others push it does not see. Memory is bounded: a
/// window that is over is forgotten with the next sweep.
struct PushTally: Sendable {
    /// Which brake an event has tripped.
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
    /// Loud pushes by cap and category; by cap alone for those on every category.
    private var loud: [CapKey: RateWindow] = [:]
    private var bySource: [String: RateWindow] = [:]
    private var byWords: [UInt64: RateWindow] = [:]
    private var all: RateWindow?
    /// What was counted, as a partition that comes back brings it again; by instant and words.
    private var counted: Set<UInt64> = []

    private static let sweepInterval = 4096

    private struct CapKey: Hashable, Sendable {
        var cap: Int
        var category: String?
    }

    init(_ policy: GatePolicy) {
        self.policy = policy
        let rates = [policy.brake.sameText, policy.brake.perSource, policy.brake.all].compactMap(\.self)
        horizon = (policy.caps.map(\.rate.per) + rates.map(\.per)).max() ?? .zero
        counts = horizon > .zero
        all = policy.brake.all.map { RateWindow($0) }
    }

    /// The count under another policy: each cap and brake that both have goes on with what it has seen, as far back as its
    /// window kept it; a new one begins with nothing.
    ///
    /// - Parameter policy: From now on.
    /// - Returns: What is counted under it.
    func following(_ policy: GatePolicy) -> PushTally {
        var tally = PushTally(policy)
        tally.counted = counted
        for (index, cap) in policy.caps.enumerated() where cap.scope == .all {
            for (before, old) in self.policy.caps.enumerated() where old.scope == .all && old.category == cap.category {
                for (key, window) in loud where key.cap == before {
                    tally.loud[CapKey(cap: index, category: key.category)] = window.held(to: cap.rate)
                }
            }
        }
        if let rate = policy.brake.perSource { tally.bySource = bySource.mapValues { $0.held(to: rate) } }
        if let rate = policy.brake.sameText { tally.byWords = byWords.mapValues { $0.held(to: rate) } }
        if let rate = policy.brake.all, let all { tally.all = all.held(to: rate) }
        return tally
    }

    /// Takes note of a push, once.
    mutating func note(_ push: StoryFacts.Push) {
        let name = ByteSum.step(UInt64(bitPattern: push.at.nanoseconds), push.words)
        guard counted.insert(name).inserted else { return }
        if push.isLoud {
            for (index, cap) in policy.caps.enumerated() where cap.scope == .all {
                let covered = push.categories.filter(cap.covers)
                guard !covered.isEmpty else { continue }
                let key = CapKey(cap: index, category: cap.category)
                loud[key, default: RateWindow(cap.rate)].note(at: push.at)
            }
        }
        if let rate = policy.brake.perSource { bySource[push.source, default: RateWindow(rate)].note(at: push.at) }
        if let rate = policy.brake.sameText { byWords[push.words, default: RateWindow(rate)].note(at: push.at) }
        all?.note(at: push.at)
        if counted.count >= Self.sweepInterval { sweep(before: push.at - horizon) }
    }

    /// The brake that one push more would trip.
    ///
    /// - Parameters:
    ///   - push: What is about to be sent.
    ///   - release: When a person let the source go last; what was before does not count against it.
    /// - Returns: `nil` where it may go.
    func brake(for push: StoryFacts.Push, since release: Timestamp?) -> Brake? {
        func isFull(_ window: RateWindow?) -> Bool {
            guard let window, window.isFull(at: push.at) else { return false }
            guard let release else { return true }
            return window.latest.count { $0 > release } >= window.rate.count
        }
        if isFull(all) { return .all }
        if isFull(bySource[push.source]) { return .perSource }
        return isFull(byWords[push.words]) ? .sameText : nil
    }

    /// Whether a push has to be silent because a cap is used up.
    ///
    /// - Parameters:
    ///   - push: What is about to be sent.
    ///   - story: What was pushed of its story.
    /// - Returns: Whether it has.
    func isCapped(_ push: StoryFacts.Push, after story: [StoryFacts.Push]) -> Bool {
        policy.caps.indices.contains { index in
            let cap = policy.caps[index]
            let covered = push.categories.filter(cap.covers)
            guard !covered.isEmpty else { return false }
            switch cap.scope {
            case .all:
                return loud[CapKey(cap: index, category: cap.category)]?.isFull(at: push.at) ?? false
            case .story:
                return covered.contains { category in
                    let lately = story.count {
                        $0.isLoud && $0.at > push.at - cap.rate.per && $0.categories.contains(category)
                    }
                    return lately >= cap.rate.count
                }
            }
        }
    }

    private mutating func sweep(before oldest: Timestamp) {
        counted = []
        func isRecent(_ window: RateWindow) -> Bool { window.latest.last.map { $0 > oldest } ?? false }
        bySource = bySource.filter { isRecent($0.value) }
        byWords = byWords.filter { isRecent($0.value) }
    }
}
