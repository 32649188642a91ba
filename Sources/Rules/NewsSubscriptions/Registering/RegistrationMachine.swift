import Timestamps

/// Decides what to ask the hub or the back end, step by step, until the registration is as it is wanted.
///
/// Store ``state`` after each step: an app may end at any time, and the next launch goes on from there.
struct RegistrationMachine: Sendable {
    /// What is wanted.
    enum Goal: Sendable, Equatable {
        /// A registration with the content of this digest.
        case registered(digest: String)
        /// No registration.
        case absent
    }

    /// What to do next.
    enum Step: Sendable, Equatable {
        /// Ask for an id.
        case requestID
        /// Write the wanted content under the id.
        case put(id: String)
        /// Remove the registration.
        case delete(id: String)
        /// Nothing more.
        case end(End)
    }

    /// How it ended.
    enum End: Sendable, Equatable {
        case registered
        /// The same content was registered then, and that is not long ago.
        case unchanged(since: Timestamp)
        case removed
        /// There was nothing to remove.
        case absent
        case failed(SubscriptionError)
    }

    /// What came of a step.
    enum StepResult: Sendable, Equatable {
        case id(String)
        case done
        /// The id is no longer good. The error is for the second time.
        case gone(SubscriptionError)
        case failed(SubscriptionError)
    }

    /// What is known of the registration.
    private(set) var state: RegistrationState
    private let refresh: Duration
    private var goal = Goal.absent
    /// Whether an id was gone: both steps are repeated once.
    private(set) var isSecondTry = false

    /// Takes up a stored state.
    ///
    /// - Parameters:
    ///   - state: As stored.
    ///   - refresh: For how long the same content need not be registered again.
    init(state: RegistrationState, refresh: Duration) {
        self.state = state
        self.refresh = refresh
    }

    /// Begins with a goal.
    ///
    /// - Parameters:
    ///   - goal: What is wanted.
    ///   - now: The present instant.
    /// - Returns: What to do first.
    mutating func begin(_ goal: Goal, now: Timestamp) -> Step {
        self.goal = goal
        isSecondTry = false
        switch (goal, state) {
        // A registration from the future was made by a clock that was wrong.
        case (.registered(let wanted), .registered(_, let digest, let at))
        where wanted == digest && at <= now && now - at < refresh:
            return .end(.unchanged(since: at))
        case (.registered, .pending(let id, _)): return put(id)
        case (.registered, _):
            let id = state.id
            state = .pending(id: id, since: now)
            return put(id)
        case (.absent, .leaving(let id, _)): return .delete(id: id)
        case (.absent, _):
            guard let id = state.id else {
                state = .none
                return .end(.absent)
            }
            state = .leaving(id: id, since: now)
            return .delete(id: id)
        }
    }

    /// Goes on after a step.
    ///
    /// - Parameters:
    ///   - result: What came of it.
    ///   - now: The present instant.
    /// - Returns: What to do next.
    mutating func take(_ result: StepResult, now: Timestamp) -> Step {
        switch (result, goal, state) {
        case (.failed(let error), _, _): return .end(.failed(error))
        case (.id(let id), .registered, .pending(_, let since)):
            state = .pending(id: id, since: since)
            return .put(id: id)
        case (.done, .registered(let digest), .pending(let id?, _)):
            state = .registered(id: id, digest: digest, at: now)
            return .end(.registered)
        case (.gone(let error), .registered, .pending(_, let since)):
            state = .pending(id: nil, since: since)
            guard !isSecondTry else { return .end(.failed(error)) }
            isSecondTry = true
            return .requestID
        case (.done, .absent, _), (.gone, .absent, _):
            state = .none
            return .end(.removed)
        case (.id, _, _), (.done, _, _), (.gone, _, _):
            return .end(.failed(.init(.unreadableAnswer, "an answer came to a question that was not asked")))
        }
    }

    private func put(_ id: String?) -> Step {
        id.map { .put(id: $0) } ?? .requestID
    }
}
