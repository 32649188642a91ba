import NewsEvents
import Timestamps

/// What of one secure story may be read, and by whom.
struct SecureStory {
    /// An id that travelled, or will.
    private struct Act {
        let id: String
        let audience: SecureAudience
        /// When it may be known; `nil` for at once.
        let opens: Timestamp?
    }

    /// The words of one revision.
    private struct Words {
        let event: NewsEvent
        let audience: SecureAudience
        let deadline: Timestamp
        /// Whether readers were told of the story before, so that a correction is one.
        let isFollowing: Bool
    }

    /// What stands under an id.
    enum Found {
        /// The event whose words are the latest for who asks; and whether it follows another.
        case event(NewsEvent, isFollowing: Bool)
        case withdrawn
    }

    private var acts: [Act] = []
    /// In the order of their revisions; those that nobody is given any more are left out.
    private var words: [Words] = []
    private var revision: Int64 = 0
    private(set) var isWithdrawn = false

    /// The ids that lead here.
    var ids: [String] { acts.map(\.id) }

    /// Takes up an event that goes out to readers.
    ///
    /// - Parameters:
    ///   - event: Admitted by the gate.
    ///   - deadline: When its life ends.
    ///   - now: When it came.
    /// - Returns: Whether the story goes on with it; a killed one does not, and an older revision says nothing new.
    mutating func take(_ event: NewsEvent, deadline: Timestamp, now: Timestamp) -> Bool {
        guard !isWithdrawn, event.kind == .kill ? event.revision >= revision : event.revision > revision else {
            return false
        }
        let isFollowing = !acts.isEmpty
        revision = event.revision
        let audience = audience(of: event)
        let opens = event.kind == .kill ? nil : event.embargo.flatMap { $0 > now ? $0 : nil }
        acts.append(Act(id: event.id, audience: audience, opens: opens))
        guard event.kind != .kill else {
            isWithdrawn = true
            words = []
            return true
        }
        // What everybody who may read it will find something newer for is of no use; but that has to be open by then.
        if opens == nil { words.removeAll { audience.covers($0.audience) } }
        words.append(
            Words(event: event.readable, audience: audience, deadline: deadline, isFollowing: isFollowing)
        )
        return true
    }

    /// A correction and a kill go to those who were told.
    private func audience(of event: NewsEvent) -> SecureAudience {
        let own = SecureAudience(of: event)
        guard event.kind == .kill || event.kind == .correction, let first = acts.first else { return own }
        return acts.dropFirst().reduce(first.audience) { $0.united(with: $1.audience) }
    }

    /// Looks for what an id stands for.
    ///
    /// - Parameters:
    ///   - id: As it came with a push.
    ///   - user: Who asks.
    ///   - now: The present.
    /// - Returns: Nothing where there is nothing for this user, or nothing any more.
    func find(_ id: String, for user: String, now: Timestamp) -> Found? {
        guard acts.contains(where: { $0.id == id && $0.audience.admits(user) && $0.opens.map { $0 <= now } ?? true })
        else { return nil }
        if isWithdrawn { return .withdrawn }
        let latest = words.last { words in
            words.audience.admits(user) && (words.event.embargo.map { $0 <= now } ?? true)
        }
        guard let latest, now <= latest.deadline else { return nil }
        return .event(latest.event, isFollowing: latest.isFollowing)
    }

    /// What it takes in memory, about.
    var byteCount: Int {
        acts.reduce(256) { $0 + 96 + $1.id.utf8.count + $1.audience.byteCount }
            + words.reduce(0) { $0 + 64 + $1.event.byteCount }
    }
}

extension NewsEvent {
    /// Without what readers are never given.
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
