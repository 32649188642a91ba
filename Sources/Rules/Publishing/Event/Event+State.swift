package import NewsflashTimestamps

extension Event {
    /// The state of an event between its record and its confirmed outcome.
    ///
    /// The article "Life of an event" has the table of these states and of the steps between them; a test compares it with this
    /// code.
    enum State: Sendable, Equatable {
        /// In the inbox of its story.
        case undecided
        /// Admitted, and not sent before something else happens.
        case waiting(Wait)
        /// In the lanes of its hubs; none of its requests is planned.
        case queued
        /// Planned: each request is ready, in flight, backing off, deferred or settled.
        case sending
        /// Its outcome is known, and answers to requests in flight are awaited.
        case ending(EventVerdict)
        /// Its facts are being written to the ledger, then its outcome and dead letter to their topics.
        case recording(EventVerdict)
    }

    /// A step from one state to another.
    enum Step: Sendable, Equatable {
        /// It has to wait.
        case wait(Wait)
        /// Its turn has come.
        case enqueue
        /// Its requests are known.
        case plan
        /// Something else ended it while requests are in flight.
        case cancel(EventVerdict)
        /// It has ended.
        case end(EventVerdict)
    }

    /// The state after a step; `nil` if the step does not exist in a state.
    static func state(after step: Step, in state: State) -> State? {
        switch (state, step) {
        case (.undecided, .wait(let wait)), (.waiting, .wait(let wait)), (.queued, .wait(let wait)),
            (.sending, .wait(let wait)):
            .waiting(wait)
        case (.undecided, .enqueue), (.waiting, .enqueue): .queued
        case (.queued, .plan): .sending
        case (.sending, .cancel(let verdict)): .ending(verdict)
        case (.undecided, .end(let verdict)), (.waiting, .end(let verdict)), (.queued, .end(let verdict)),
            (.sending, .end(let verdict)), (.ending, .end(let verdict)):
            .recording(verdict)
        case (.undecided, .plan), (.undecided, .cancel), (.waiting, .plan), (.waiting, .cancel), (.queued, .enqueue),
            (.queued, .cancel), (.sending, .enqueue), (.sending, .plan), (.ending, .wait), (.ending, .enqueue),
            (.ending, .plan), (.ending, .cancel), (.recording, _):
            nil
        }
    }
}

/// The cause of a wait, and when it ends.
package enum Wait: Sendable, Equatable {
    /// Another event of its story is in progress.
    case turn
    /// Events of its story ended unsent before it, and the ledger has not confirmed that: after a crash they would be read
    /// again and sent after this one.
    case ledger
    /// The text that subscribers received is being read from the source, for a withdrawal without a text.
    case text
    /// Fewer people have approved it than its kind needs; it is refused at that time.
    case approval(until: Timestamp)
    /// It must not be sent before this time.
    case embargo(Timestamp)
    /// Its subscribers have quiet hours until then.
    case quietHours(until: Timestamp)
    /// Its source is paused; its life ends then.
    case pause(until: Timestamp)
    /// A volume limit was reached, and a person has to look; its life ends then.
    case volumeLimit(until: Timestamp)
    /// An earlier revision of its story has an embargo in the future, and this event has none; its life ends then.
    case embargoDropped(until: Timestamp)
    /// The hubs that it still needs have open circuits, or are slower than others; its life ends then.
    case hub(until: Timestamp)

    /// When the wait ends by time; `nil` if something else has to happen.
    package var end: Timestamp? {
        switch self {
        case .turn, .ledger, .text: nil
        case .approval(let end), .embargo(let end), .quietHours(let end), .pause(let end), .volumeLimit(let end),
            .embargoDropped(let end), .hub(let end):
            end
        }
    }

    /// The cause in the ledger; `nil` if the ledger does not keep the event, because the wait is short.
    var reason: StoryFacts.WaitReason? {
        switch self {
        case .turn, .ledger, .text: nil
        case .approval: .approval
        case .embargo: .embargo
        case .quietHours: .quietHours
        case .pause: .pause
        case .volumeLimit: .volumeLimit
        case .embargoDropped: .embargoDropped
        case .hub: .hub
        }
    }
}

extension Event.State {
    /// The name in the article's table, in health and in metrics.
    package var name: String { Self.names[index] }

    /// The index in ``names``.
    var index: Int {
        switch self {
        case .undecided: 0
        case .waiting: 1
        case .queued: 2
        case .sending: 3
        case .ending: 4
        case .recording: 5
        }
    }

    /// All names, in the order of an event's life.
    static let names = ["undecided", "waiting", "queued", "sending", "ending", "recording"]
}
