import NewsEvents
import NotificationHubs
import Timestamps

/// One secure story: the texts that may be read, and by whom.
///
/// A story is made of acts: each is a record of the topic of events and its outcome, which come in any order.
struct SecureStory {
    /// The place of a record in its topic.
    struct Place: Hashable, Sendable {
        let partition: Int32
        let offset: Int64
    }

    private struct Act {
        let place: Place
        /// The words; `nil` until the record is read.
        var event: NewsEvent?
        var token = ""
        var deadline = Timestamp(seconds: 0)
        /// The audience; `nil` until there is a final outcome, or one that says that something was sent.
        var audience: SecureAudience?
        var revision: Int64 { event?.revision ?? 0 }
    }

    /// The result of a look for a token.
    enum Found {
        /// The event with the latest words for the user; and whether it follows another that was sent.
        case event(NewsEvent, isFollowing: Bool)
        case withdrawn
        /// The outcome is not known yet: ask again.
        case undecided
    }

    private var acts: [Act] = []
    /// The place of each act in ``acts``.
    private var indexes: [Place: Int] = [:]
    private var isWithdrawn = false
    /// The latest hold of the desk: nobody is given an act before it.
    private var hold: Place?
    /// About the bytes that it takes in memory.
    private(set) var byteCount = 256

    /// The tokens that lead here.
    var tokens: [String] { acts.map(\.token).filter { !$0.isEmpty } }

    /// Takes up a record of the topic of events, in the order of the topic.
    ///
    /// A kill or a hold counts at once; an event with words waits for its outcome.
    ///
    /// - Parameters:
    ///   - event: As read.
    ///   - place: Where.
    ///   - token: Stands for it in pushes.
    ///   - deadline: When its life ends.
    mutating func take(_ event: NewsEvent, at place: Place, token: String, deadline: Timestamp) {
        if event.kind == .kill { isWithdrawn = true }
        guard event.kind != .hold else {
            hold = place
            return
        }
        let index = self.index(of: place)
        let readable = event.readable
        byteCount += readable.byteCount - (acts[index].event?.byteCount ?? 0)
        acts[index].event = readable
        acts[index].token = token
        acts[index].deadline = deadline
    }

    /// Takes up an outcome.
    ///
    /// - Parameters:
    ///   - audience: The audience that something was sent to.
    ///   - place: The place of its event.
    ///   - isFinal: Whether no other outcome follows.
    mutating func take(_ audience: SecureAudience, at place: Place, isFinal: Bool) {
        let index = self.index(of: place)
        // A later outcome, such as that of a duplicate, does not undo that something was sent.
        guard acts[index].audience?.isEmpty ?? true, isFinal || !audience.isEmpty else { return }
        byteCount += audience.byteCount - (acts[index].audience?.byteCount ?? 0)
        acts[index].audience = audience
    }

    private mutating func index(of place: Place) -> Int {
        if let index = indexes[place] { return index }
        indexes[place] = acts.count
        acts.append(Act(place: place))
        byteCount += 160
        return acts.count - 1
    }

    private func isHeld(_ act: Act) -> Bool {
        hold.map { $0.partition == act.place.partition && act.place.offset < $0.offset } ?? false
    }

    /// Looks for what a token stands for.
    ///
    /// - Parameters:
    ///   - token: As it came with a push.
    ///   - devices: The tags of each device of the user who asks.
    ///   - now: The present.
    /// - Returns: `nil` if there is nothing for this user, or nothing any more.
    func find(_ token: String, for devices: [[Tag]], now: Timestamp) -> Found? {
        let named = acts.filter { $0.token == token }
        let isAdmitted = named.contains { $0.audience?.admits(devices) == true }
        guard isAdmitted else {
            let isUndecided = named.contains { act in
                let isOver = isHeld(act) || isWithdrawn && act.event?.kind != .kill
                return act.audience == nil && !isOver && now <= act.deadline
            }
            return isUndecided ? .undecided : nil
        }
        if isWithdrawn { return .withdrawn }
        let readable = acts.filter { $0.event != nil && $0.audience?.admits(devices) == true && !isHeld($0) }
        guard let latest = readable.max(by: { $0.revision < $1.revision }), let event = latest.event,
            now <= latest.deadline
        else { return nil }
        let isFollowing = acts.contains { $0.revision < latest.revision && $0.audience?.isEmpty == false }
        return .event(event, isFollowing: isFollowing)
    }

    /// Whether an answer may depend on the tags of the user's devices, beside the user's name.
    ///
    /// - Parameters:
    ///   - token: As it came with a push.
    ///   - name: The tags that the name alone gives.
    /// - Returns: Whether to ask the hub for them.
    func needsDevices(_ token: String, besides name: [[Tag]]) -> Bool {
        acts.contains { $0.token == token && $0.audience?.isEmpty == false }
            && acts.contains { $0.audience.map { !$0.isEmpty && !$0.admits(name) } ?? false }
    }
}

extension NewsEvent {
    /// Without what is never given to subscribers.
    fileprivate var readable: NewsEvent {
        var event = self
        event.users = []
        event.categories = []
        event.approvedBy = []
        event.note = nil
        return event
    }

    /// What it takes in memory, about.
    fileprivate var byteCount: Int {
        let texts = text.reduce(0) { sum, text in
            sum + 96 + text.headline.utf8.count + (text.summary?.utf8.count ?? 0)
        }
        let names = [id, source, story, url ?? "", image ?? ""].reduce(0) { $0 + 32 + $1.utf8.count }
        return 256 + texts + names
    }
}
