public import NewsflashHTTPTransport
import NewsflashTimestamps

/// A state machine that determines the requests to the hub or the back end, step by step, until the registration is as
/// wanted.
///
/// Store ``state`` after each step: an app may end at any time, and the next launch continues from there.
struct RegistrationMachine: Sendable {
    /// The wanted state.
    enum Goal: Sendable, Equatable {
        /// A registration with the content of this digest.
        case registered(digest: String)
        /// No registration.
        case absent
    }

    /// The next step.
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

    /// The result of all steps.
    enum End: Sendable, Equatable {
        case registered
        /// The same content was registered at that time, which is recent.
        case unchanged(since: Timestamp)
        case removed
        /// There was nothing to remove.
        case absent
        case failed(SubscriptionError)
    }

    /// The result of a step.
    enum StepResult: Sendable, Equatable {
        case id(String)
        case done
        /// The id is no longer valid. The error is reported if this happens twice.
        case gone(SubscriptionError)
        case failed(SubscriptionError)
    }

    /// The known state of the registration.
    private(set) var state: RegistrationState
    private let refresh: Duration
    private var goal = Goal.absent
    /// Whether an id was gone; both steps are repeated only once.
    private(set) var isSecondTry = false

    /// Creates a machine from a stored state.
    ///
    /// - Parameters:
    ///   - state: The stored state.
    ///   - refresh: The time for which the same content need not be registered again.
    init(state: RegistrationState, refresh: Duration) {
        self.state = state
        self.refresh = refresh
    }

    /// Starts towards a goal.
    ///
    /// - Returns: The first step.
    mutating func begin(_ goal: Goal, now: Timestamp) -> Step {
        self.goal = goal
        isSecondTry = false
        switch (goal, state) {
        // A registration in the future does not count, because a wrong clock made it.
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

    /// Continues after a step.
    ///
    /// - Returns: The next step.
    mutating func receive(_ result: StepResult, now: Timestamp) -> Step {
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
            return .end(.failed(.init(.unreadableAnswer, "received a response without a matching request")))
        }
    }

    private func put(_ id: String?) -> Step {
        id.map { .put(id: $0) } ?? .requestID
    }
}

/// The registrar of the device: the hub itself, with a key that has only the right Listen, or a back end with users.
///
/// ```swift
/// let registrar = try Registrar.hub(connection: listenConnectionString, name: "newsdesk", transport: transport)
/// ```
public struct Registrar: Sendable {
    let dialect: any RegistrationDialect
    /// Other kinds of registrations that the same credentials can remove.
    let others: [any RegistrationDialect]

    init(dialect: any RegistrationDialect, others: [any RegistrationDialect] = []) {
        self.dialect = dialect
        self.others = others
    }

    /// Registers with the hub, as in the breaking-news tutorial.
    ///
    /// ```swift
    /// let registrar = try Registrar.hub(
    ///     connection: "Endpoint=sb://newsdesk.servicebus.windows.net/;"
    ///         + "SharedAccessKeyName=DefaultListenSharedAccessSignature;SharedAccessKey=…",
    ///     name: "newsdesk",
    ///     transport: URLSessionTransport()
    /// )
    /// ```
    ///
    /// - Parameters:
    ///   - connection: The connection string of a policy with only the right Listen, because anybody can extract it from an
    ///     app.
    ///   - name: The hub's name.
    ///   - transport: The transport of the requests; on Apple's platforms a `URLSessionTransport`.
    /// - Returns: A registrar for a ``NewsSubscriber``.
    /// - Throws: ``SubscriptionError`` for an invalid connection string or hub's name, and for a key with full access.
    public static func hub(
        connection: String,
        name: String,
        transport: any HTTPTransport
    ) throws(SubscriptionError) -> Registrar {
        Registrar(dialect: try HubDialect(connection: connection, hub: name, transport: transport))
    }

    /// Registers through a back end in the two steps of the notify-users tutorial.
    ///
    /// The back end makes a native registration: the device shows messages to its user, and news that is sent natively.
    ///
    /// ```swift
    /// let news = NewsSubscriber(registrar: .gateway(gateway), storage: storage)
    /// ```
    ///
    /// - Parameter gateway: The gateway with the signed-in user.
    /// - Returns: A registrar for a ``NewsSubscriber``.
    public static func gateway(_ gateway: NewsGateway) -> Registrar {
        Registrar(dialect: GatewayDialect(gateway: gateway), others: [InstallationDialect(gateway: gateway)])
    }

    /// Registers through a back end as an installation, with a template.
    ///
    /// One device then shows template sends, in the subscriber's language, and messages to its user.
    ///
    /// ```swift
    /// let news = NewsSubscriber(registrar: .installation(through: gateway), storage: storage)
    /// ```
    ///
    /// - Parameter gateway: The gateway with the signed-in user.
    /// - Returns: A registrar for a ``NewsSubscriber``.
    public static func installation(through gateway: NewsGateway) -> Registrar {
        Registrar(dialect: InstallationDialect(gateway: gateway), others: [GatewayDialect(gateway: gateway)])
    }
}
