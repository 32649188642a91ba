import HTTPTransport
public import NotificationHubsCore
public import Timestamps

/// A reader's subscription to breaking news: remembers the choice and keeps the device registered for it.
///
/// ```swift
/// let news = NewsSubscriber(
///     registrar: try .hub(connection: listenConnectionString, name: "newsdesk", transport: transport),
///     storage: FileSubscriptionStorage(path: "subscriptions.json")
/// )
/// let choice = try await news.choice()                            // the app opens: set the switches
/// try await news.register(.apns(deviceToken: token))              // at each launch
/// try await news.subscribe(to: [.world, .sports], in: .french)    // the reader subscribes
/// ```
///
/// What is asked of it at the same time is done one after the other, the last wish last.
public actor NewsSubscriber {
    private let dialect: any RegistrationDialect
    private let records: SubscriptionRecords
    private let place: String
    private let configuration: SubscriberConfiguration
    private let clock: @Sendable () -> Timestamp
    private var channel: PushChannel?
    private let turns = TurnQueue()

    /// Takes up what is stored.
    ///
    /// ```swift
    /// let news = NewsSubscriber(registrar: registrar, storage: UserDefaultsSubscriptionStorage())
    /// ```
    ///
    /// - Parameters:
    ///   - registrar: The hub, or a back end.
    ///   - storage: Where choice and registration are kept.
    ///   - configuration: What may differ between apps.
    ///   - clock: Tells the present instant.
    public init(
        registrar: Registrar,
        storage: any SubscriptionStorage,
        configuration: SubscriberConfiguration = SubscriberConfiguration(),
        clock: @escaping @Sendable () -> Timestamp = Timestamp.now
    ) {
        dialect = registrar.dialect
        records = SubscriptionRecords(storage: storage)
        place = registrar.dialect.place
        self.configuration = configuration
        self.clock = clock
    }

    /// The choice as it was stored, to set the switches when the app opens.
    ///
    /// ```swift
    /// worldSwitch.isOn = try await news.choice().categories.contains(.world)
    /// ```
    ///
    /// - Returns: An empty one before the first.
    /// - Throws: ``SubscriptionError`` where the storage cannot be read.
    public func choice() throws(SubscriptionError) -> NewsChoice {
        try records.choice()
    }

    /// What is known of the registration, without asking anybody.
    ///
    /// ```swift
    /// if case .pending = try await news.status() { show("not subscribed yet") }
    /// ```
    ///
    /// - Returns: As stored.
    /// - Throws: ``SubscriptionError`` where the storage cannot be read.
    public func status() throws(SubscriptionError) -> SubscriptionStatus {
        switch try records.state(at: place) {
        case .none: .notRegistered
        case .registered(_, _, let at): .registered(at: at)
        case .pending(_, let since), .leaving(_, let since): .pending(since: since)
        }
    }

    /// Registers the device for the stored choice. Call it at each launch, with the channel that the platform has just given:
    /// it may change at any time.
    ///
    /// Nothing is sent where the same was registered less than a day ago. What could not be done before is tried again.
    ///
    /// ```swift
    /// try await news.register(.fcmv1(registrationID: token))
    /// ```
    ///
    /// - Parameter channel: How the device is reached.
    /// - Returns: What became of it.
    /// - Throws: ``SubscriptionError`` for what somebody has to do something about.
    @discardableResult
    public func register(_ channel: PushChannel) async throws(SubscriptionError) -> SubscriptionOutcome {
        await turns.wait()
        defer { turns.pass() }
        self.channel = channel
        return try await registerNow(channel, try records.choice())
    }

    /// Stores a choice and registers the device for it.
    ///
    /// ```swift
    /// try await news.subscribe(to: [.world, .sports], in: .french)
    /// ```
    ///
    /// Without categories a device that the hub itself registers is taken off it, since the hub's broadcasts reach devices
    /// without tags too; through a back end it stays, for what is sent to its user.
    ///
    /// - Parameters:
    ///   - categories: All that the reader wants, not only what is new.
    ///   - language: Nothing for the sender's one text for all.
    /// - Returns: What became of it; ``SubscriptionOutcome/waitingForDevice`` where ``register(_:)`` has not been called yet.
    /// - Throws: ``SubscriptionError`` for what somebody has to do something about; the choice is stored even so, unless
    ///   it was the storage that failed.
    @discardableResult
    public func subscribe(
        to categories: Set<NewsCategory>,
        in language: NewsLanguage? = nil
    ) async throws(SubscriptionError) -> SubscriptionOutcome {
        await turns.wait()
        defer { turns.pass() }
        let choice = NewsChoice(categories, language: language)
        try records.store(choice)
        guard let channel else { return .waitingForDevice }
        return try await registerNow(channel, choice)
    }

    /// Takes the device off the hub: at sign-out, or for a reader who wants nothing more. The choice stays stored.
    ///
    /// ```swift
    /// try await news.unregister()
    /// ```
    ///
    /// - Returns: ``SubscriptionOutcome/notRegistered``, or ``SubscriptionOutcome/pending(_:)``: then call it again.
    /// - Throws: ``SubscriptionError`` for what somebody has to do something about.
    @discardableResult
    public func unregister() async throws(SubscriptionError) -> SubscriptionOutcome {
        await turns.wait()
        defer { turns.pass() }
        channel = nil
        return try await reach(.absent, nil)
    }

    private func registerNow(
        _ channel: PushChannel,
        _ choice: NewsChoice
    ) async throws(SubscriptionError) -> SubscriptionOutcome {
        guard dialect.registersWithoutCategories || !choice.categories.isEmpty else {
            return try await reach(.absent, nil)
        }
        let wanted = try WantedRegistration(channel: channel, choice: choice, template: template(channel, choice))
        return try await reach(.registered(digest: wanted.digest), wanted)
    }

    private func template(_ channel: PushChannel, _ choice: NewsChoice) throws(SubscriptionError)
        -> TemplateDescription?
    {
        guard dialect.usesTemplates else { return nil }
        guard let template = configuration.templates.first(where: { $0.platform == channel.platform }) else {
            throw SubscriptionError(
                .noTemplate,
                "there is no template for \(channel.platform.rawValue): add one to SubscriberConfiguration.templates"
            )
        }
        return template.description(showing: configuration.text.expression(in: choice.language))
    }

    /// Takes step after step, and stores after each what is known then.
    private func reach(
        _ goal: RegistrationMachine.Goal,
        _ wanted: WantedRegistration?
    ) async throws(SubscriptionError) -> SubscriptionOutcome {
        var kept = try records.state(at: place)
        var machine = RegistrationMachine(state: kept, refresh: configuration.refresh)
        var step = machine.begin(goal, now: clock())
        while true {
            if machine.state != kept {
                kept = machine.state
                try records.store(kept, at: place)
            }
            if case .end(let end) = step { return try Self.outcome(of: end) }
            step = machine.take(await perform(step, wanted), now: clock())
        }
    }

    private func perform(
        _ step: RegistrationMachine.Step,
        _ wanted: WantedRegistration?
    ) async -> RegistrationMachine.StepResult {
        var request: HTTPRequest
        switch (step, wanted) {
        case (.requestID, let wanted?):
            switch dialect.newID(for: wanted) {
            case .chosen(let id): return .id(id)
            case .request(let asked): request = asked
            }
        case (.put(let id), let wanted?): request = dialect.put(wanted, id: id)
        case (.delete(let id), _): request = dialect.delete(id: id)
        case (.requestID, nil), (.put, nil), (.end, _):
            return .failed(SubscriptionError(.invalidValue, "there is nothing to register"))
        }
        do throws(SubscriptionError) {
            request.headers.append("Authorization", try await dialect.authorization(now: clock()))
        } catch {
            return .failed(error)
        }
        do throws(HTTPTransportError) {
            let response = try await dialect.transport.send(request)
            return dialect.result(of: step, response, now: clock())
        } catch {
            return .failed(SubscriptionError(error, from: dialect.server))
        }
    }

    private static func outcome(of end: RegistrationMachine.End) throws(SubscriptionError) -> SubscriptionOutcome {
        switch end {
        case .registered: return .registered
        case .unchanged(let since): return .unchanged(since: since)
        case .removed, .absent: return .notRegistered
        case .failed(let error):
            guard error.isRetriable else { throw error }
            return .pending(error)
        }
    }
}
