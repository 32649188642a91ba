import NewsflashBasics
import NewsflashEvents
import NewsflashTimestamps
import NotificationHubs

/// The events of one secure story: their texts and audiences.
///
/// An act consists of a record in the topic of events and its outcome, which arrive in any order.
struct SecureStory {
    /// The position of a record in its topic.
    struct Place: Hashable, Sendable {
        let partition: Int32
        let offset: Int64
    }

    private struct Act {
        let place: Place
        /// The event; `nil` until its record is read.
        var event: NewsEvent?
        var token = ""
        var deadline = Timestamp(seconds: 0)
        /// The audience; `nil` until there is a final outcome, or one with an accepted send.
        var audience: SecureAudience?
        var revision: Int64 { event?.revision ?? 0 }
    }

    /// The result of a search for a token.
    enum Found {
        /// The event with the latest text for the user, and whether an earlier revision was sent.
        case event(NewsEvent, isFollowing: Bool)
        case withdrawn
        /// The outcome is not known yet: the device should retry.
        case undecided
    }

    private var acts: [Act] = []
    /// The index in ``acts`` by position.
    private var indexes: [Place: Int] = [:]
    private var isWithdrawn = false
    /// The position of the latest hold; earlier acts are not returned.
    private var hold: Place?
    /// The approximate memory use in bytes.
    private(set) var byteCount = 256

    /// The tokens of the story's events.
    var tokens: [String] { acts.map(\.token).filter { !$0.isEmpty } }

    /// Adds a record of the topic of events, in the order of the topic.
    ///
    /// A kill or a hold takes effect at once; the text of another event is returned only after its outcome.
    ///
    /// - Parameters:
    ///   - event: The decoded event.
    ///   - place: The position of the record.
    ///   - token: The token of the event in pushes.
    ///   - deadline: When the event expires.
    mutating func add(_ event: NewsEvent, at place: Place, token: String, deadline: Timestamp) {
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

    /// Adds an outcome.
    ///
    /// - Parameters:
    ///   - audience: The audience of the accepted sends.
    ///   - place: The position of the event's record.
    ///   - isFinal: Whether the outcome is final.
    mutating func add(_ audience: SecureAudience, at place: Place, isFinal: Bool) {
        let index = self.index(of: place)
        // A later outcome, such as that of a duplicate, does not undo a send.
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

    /// Finds the event of a token.
    ///
    /// - Parameters:
    ///   - token: The token from the push.
    ///   - devices: The tags of each of the user's devices.
    ///   - now: The current time.
    /// - Returns: `nil` if this user may read no text, or the event has expired.
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

    /// Whether the result may depend on the tags of the user's devices, in addition to the user's name.
    ///
    /// - Returns: Whether to query the hub for the devices' tags.
    func needsDevices(_ token: String, besides name: [[Tag]]) -> Bool {
        acts.contains { $0.token == token && $0.audience?.isEmpty == false }
            && acts.contains { $0.audience.map { !$0.isEmpty && !$0.admits(name) } ?? false }
    }
}

extension NewsEvent {
    /// The event without the values that are never returned to subscribers.
    fileprivate var readable: NewsEvent {
        var event = self
        event.users = []
        event.categories = []
        event.approvedBy = []
        event.note = nil
        return event
    }

    /// The approximate memory use in bytes.
    fileprivate var byteCount: Int {
        let texts = text.reduce(0) { sum, text in
            sum + 96 + text.headline.utf8.count + (text.summary?.utf8.count ?? 0)
        }
        let names = [id, source, story, url ?? "", image ?? ""].reduce(0) { $0 + 32 + $1.utf8.count }
        return 256 + texts + names
    }
}

/// The audience of a secure event: the tag expressions of the requests that a hub accepted, or may have accepted.
struct SecureAudience: Sendable, Equatable {
    private(set) var expressions: [TagExpression]

    init(_ expressions: [TagExpression] = []) {
        self.expressions = expressions
    }

    /// Whether nothing was sent.
    var isEmpty: Bool { expressions.isEmpty }

    /// Whether a user was in the audience.
    ///
    /// - Parameter devices: The tags of each of the user's devices, including the tag of the user's name. Tags are compared
    ///   without
    ///   case, as in the hub.
    /// - Returns: Whether one of the devices was addressed.
    func admits(_ devices: [[Tag]]) -> Bool {
        devices.contains { tags in
            expressions.contains { expression in
                expression.isTrue { tag in
                    tags.contains { $0.description.isEqualIgnoringASCIICase(to: tag.description) }
                }
            }
        }
    }

    /// The approximate memory use in bytes.
    var byteCount: Int { expressions.reduce(32) { $0 + 96 + 2 * $1.description.utf8.count } }
}
