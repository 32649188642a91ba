/// One editorial act of the simulated desk.
package struct SimEvent: Sendable, Equatable {
    package enum Kind: String, Sendable, CaseIterable {
        case flash, alert, update, correction, hold, kill
    }

    package enum Mode: String, Sendable {
        case live, test, backfill
    }

    /// A fault of an event's record.
    package enum Fault: Sendable, Equatable {
        /// The value is not JSON.
        case unreadable
        /// The record names its story, and its kind is unknown: it may be a kill.
        case unknownKind
    }

    package var id: String
    package var source = "desk"
    package var story: String
    package var revision: Int64
    package var kind: Kind
    /// The urgency; `nil` for the default of the kind.
    package var urgency: Int?
    package var categories: [String] = ["world"]
    /// The number of users that the event names.
    package var users = 0
    /// From the time of publication.
    package var embargo: Duration?
    /// From the time of publication.
    package var expires: Duration?
    /// The text; empty for an event without a text.
    package var words: String
    package var approvals = 0
    package var mode = Mode.live
    package var fault: Fault?

    package init(_ id: String, _ kind: Kind, of story: String, revision: Int64) {
        self.id = id
        self.story = story
        self.revision = revision
        self.kind = kind
        words = kind == .hold ? "" : "Words of \(id)"
    }

    /// Identifies the act: a kill may have the id of the alert that it withdraws, and two sources the same id.
    package var act: String { Self.act(id, kind.rawValue, source) }

    static func act(_ id: String, _ kind: String, _ source: String) -> String {
        source == "desk" ? "\(id)#\(kind)" : "\(id)#\(kind) from \(source)"
    }

    /// The names of the users, the same for all events of a story.
    package var userNames: [String] { (0..<users).map { "\(story)-\($0)" } }

    /// A description for a trace.
    package var summary: String {
        var text = "\(kind.rawValue) \(id) of story \(story) rev \(revision)"
        if categories != ["world"] {
            text += " for \(categories.isEmpty ? "no category" : categories.joined(separator: ", "))"
        }
        if users > 0 { text += " and \(users) users" }
        if source != "desk" { text += " from \(source)" }
        if words.isEmpty { text += ", without words" }
        if let embargo { text += ", embargoed for \(embargo)" }
        if let expires { text += ", expiring after \(expires)" }
        if mode != .live { text += ", mode \(mode.rawValue)" }
        if let fault { text += ", \(fault)" }
        return text
    }
}
