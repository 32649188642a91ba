import NewsflashHTTPTransport
public import NewsflashTimestamps
public import NotificationHubsCore

/// A subscription to breaking news: stores the subscriber's choice and keeps the device registered for it.
///
/// ```swift
/// let news = NewsSubscriber(
///     registrar: try .hub(connection: listenConnectionString, name: "newsdesk", transport: transport),
///     storage: FileSubscriptionStorage(path: "subscriptions.json")
/// )
/// let choice = try await news.choice()                            // the app opens: set the switches
/// try await news.register(.apns(deviceToken: token))              // at each launch
/// try await news.subscribe(to: [.world, .sports], in: .french)    // the subscriber taps Subscribe
/// ```
///
/// Concurrent calls run one after the other, in the order in which they were made.
public actor NewsSubscriber {
    private let dialect: any RegistrationDialect
    /// The places where a former registration can be removed, including the current one.
    private let reachable: [any RegistrationDialect]
    private let records: SubscriptionRecords
    private let configuration: SubscriberConfiguration
    private let clock: @Sendable () -> Timestamp
    private let sleep: @Sendable (Duration) async throws -> Void
    private var channel: PushChannel?
    private var pause = RetryPause()
    private let turns = TaskQueue()

    /// Creates a subscriber from the stored state.
    ///
    /// ```swift
    /// let news = NewsSubscriber(registrar: registrar, storage: UserDefaultsSubscriptionStorage())
    /// ```
    ///
    /// - Parameters:
    ///   - registrar: The hub, or a back end.
    ///   - formerly: The registrars of earlier versions of the app, whose registrations must be removed. The current back end
    ///     need not be listed: registrations of another user or another kind are removed there in any case.
    ///   - storage: The storage of choice and registration.
    ///   - configuration: The settings of the app.
    ///   - clock: Returns the current time.
    public init(
        registrar: Registrar,
        formerly: [Registrar] = [],
        storage: any SubscriptionStorage,
        configuration: SubscriberConfiguration = SubscriberConfiguration(),
        clock: @escaping @Sendable () -> Timestamp = Timestamp.now
    ) {
        self.init(
            registrar: registrar,
            formerly: formerly,
            storage: storage,
            configuration: configuration,
            clock: clock,
            sleep: { try await Task.sleep(for: $0) }
        )
    }

    init(
        registrar: Registrar,
        formerly: [Registrar] = [],
        storage: any SubscriptionStorage,
        configuration: SubscriberConfiguration = SubscriberConfiguration(),
        clock: @escaping @Sendable () -> Timestamp,
        sleep: @escaping @Sendable (Duration) async throws -> Void
    ) {
        dialect = registrar.dialect
        reachable = ([registrar] + formerly).flatMap { [$0.dialect] + $0.others }
        records = SubscriptionRecords(
            storage: storage,
            device: configuration.device.map { RegistrationPlace.digest(of: ["device", $0]) }
        )
        self.configuration = configuration
        self.clock = clock
        self.sleep = sleep
    }

    /// The stored choice, to set the switches when the app opens.
    ///
    /// ```swift
    /// worldSwitch.isOn = try await news.choice().categories.contains(.world)
    /// ```
    ///
    /// - Returns: The choice; empty before the first one.
    /// - Throws: ``SubscriptionError`` if the storage cannot be read.
    public func choice() throws(SubscriptionError) -> NewsChoice {
        try records.choice()
    }

    /// The stored status of the registration. Sends no request.
    ///
    /// ```swift
    /// if case .pending = try await news.status() { show("not subscribed yet") }
    /// ```
    ///
    /// - Returns: The stored status.
    /// - Throws: ``SubscriptionError`` if the storage cannot be read.
    public func status() throws(SubscriptionError) -> SubscriptionStatus {
        switch try records.state(at: dialect.place) {
        case .none: .notRegistered
        case .registered(_, _, let at): .registered(at: at)
        case .pending(_, let since), .leaving(_, let since): .pending(since: since)
        }
    }

    /// Registers the device for the stored choice. Call it at each launch with the channel that the platform has just
    /// provided, because the channel may change at any time.
    ///
    /// Nothing is sent if the same was registered less than a day ago. A registration that failed before is tried again.
    /// After ``unregister()`` nothing is registered.
    ///
    /// ```swift
    /// try await news.register(.fcmv1(registrationID: installationID))
    /// ```
    ///
    /// For Firebase the handle is an installation ID or a registration token. The next one replaces it in the same registration.
    ///
    /// - Parameter channel: The channel to the device.
    /// - Returns: The outcome.
    /// - Throws: ``SubscriptionError`` for a failure that somebody must act on.
    @discardableResult
    public func register(_ channel: PushChannel) async throws(SubscriptionError) -> SubscriptionOutcome {
        try await waitForTurn()
        defer { turns.pass() }
        self.channel = channel
        return try await settle(channel)
    }

    /// Stores a choice and registers the device for it.
    ///
    /// ```swift
    /// try await news.subscribe(to: [.world, .sports], in: .french)
    /// ```
    ///
    /// Without categories, a device that is registered with the hub itself is removed, because the hub's broadcasts also
    /// reach devices without tags. Through a back end the device stays registered, for messages to its user.
    ///
    /// - Parameters:
    ///   - categories: All categories that the subscriber wants, not only new ones.
    ///   - language: `nil` for the sender's single text for everyone.
    /// - Returns: The outcome; ``SubscriptionOutcome/waitingForDevice`` if ``register(_:)`` has not been called yet.
    /// - Throws: ``SubscriptionError`` for a failure that somebody must act on. The choice is stored even so, unless the
    ///   storage failed or the task was cancelled before its turn.
    @discardableResult
    public func subscribe(
        to categories: Set<NewsCategory>,
        in language: NewsLanguage? = nil
    ) async throws(SubscriptionError) -> SubscriptionOutcome {
        try await waitForTurn()
        defer { turns.pass() }
        try records.store(NewsChoice(categories, language: language))
        try records.optIn(dialect.place.owner)
        guard let channel else { return .waitingForDevice }
        return try await settle(channel)
    }

    /// Removes the registration of a subscriber who wants no more news. It lasts: ``register(_:)`` at the next launch does
    /// not register the device again, only ``subscribe(to:in:)`` does. The choice stays stored, to set the switches.
    ///
    /// ```swift
    /// try await news.unregister()
    /// ```
    ///
    /// The opt-out applies to the signed-in user. Other users of the device have their own.
    ///
    /// - Returns: ``SubscriptionOutcome/notRegistered``, or ``SubscriptionOutcome/pending(_:)``: then ``retry()`` and the
    ///   next launch try again.
    /// - Throws: ``SubscriptionError`` for a failure that somebody must act on. The opt-out is stored even so.
    @discardableResult
    public func unregister() async throws(SubscriptionError) -> SubscriptionOutcome {
        try await waitForTurn()
        defer { turns.pass() }
        try records.optOut(dialect.place.owner)
        return try await reach(.absent, nil)
    }

    /// Removes the registration because its user signs out. The next ``register(_:)`` registers the device for the user who
    /// is signed in then.
    ///
    /// If this fails for now, it is tried again until it succeeds, no matter who is signed in: another user of the same back
    /// end takes over the device.
    ///
    /// ```swift
    /// try await news.signOut()
    /// ```
    ///
    /// - Returns: ``SubscriptionOutcome/notRegistered``, or ``SubscriptionOutcome/pending(_:)``.
    /// - Throws: ``SubscriptionError`` for a failure that somebody must act on.
    @discardableResult
    public func signOut() async throws(SubscriptionError) -> SubscriptionOutcome {
        try await waitForTurn()
        defer { turns.pass() }
        channel = nil
        return try await reach(.absent, nil)
    }

    /// Tries pending work again. Call it when the app becomes active, or when the network is back.
    ///
    /// Nothing is sent if nothing is pending, or before the time that the server asked for with `Retry-After`. Without that
    /// header, the pause is five seconds after the first failure and doubles after each further one, up to 15 minutes. A
    /// registration that is older than a day is written again, as at a launch.
    ///
    /// ```swift
    /// ContentView().onChange(of: scenePhase) { _, phase in
    ///     if phase == .active { Task { try await news.retry() } }
    /// }
    /// ```
    ///
    /// - Returns: ``SubscriptionOutcome/pending(_:)`` if work remains.
    /// - Throws: ``SubscriptionError`` for a failure that somebody must act on.
    @discardableResult
    public func retry() async throws(SubscriptionError) -> SubscriptionOutcome {
        try await waitForTurn()
        defer { turns.pass() }
        if let error = pause.error, pause.remaining(at: clock()) > .zero { return .pending(error) }
        let outcome: SubscriptionOutcome
        switch (channel, try records.state(at: dialect.place)) {
        case (let channel?, _): outcome = try await settle(channel)
        case (nil, .registered(_, _, let at)): outcome = try await afterFormer(.unchanged(since: at))
        case (nil, .none): outcome = try await afterFormer(.notRegistered)
        case (nil, .leaving): outcome = try await reach(.absent, nil)
        case (nil, .pending): return .waitingForDevice
        }
        // The outcome of a registration hides removals that remain at other places, but a retry must report them.
        if let error = pause.error, error.leavesWork { return .pending(error) }
        return outcome
    }

    /// Tries again until nothing is pending, with the pauses of ``retry()``, or until the task is cancelled. Returns if the
    /// device is still missing, because ``register(_:)`` must provide it.
    ///
    /// ```swift
    /// ContentView().task { _ = try? await news.retryUntilDone() }
    /// ```
    ///
    /// - Returns: ``SubscriptionOutcome/pending(_:)`` only if the task or its request was cancelled.
    /// - Throws: ``SubscriptionError`` for a failure that somebody must act on, and with ``SubscriptionError/Code/cancelled``
    ///   if the task was cancelled while another call was running.
    @discardableResult
    public func retryUntilDone() async throws(SubscriptionError) -> SubscriptionOutcome {
        while true {
            let outcome = try await retry()
            // A cancelled attempt is not repeated, whether the task or its transport was cancelled.
            guard case .pending(let error) = outcome, error.code != .cancelled else { return outcome }
            do {
                try await sleep(max(pause.remaining(at: clock()), .seconds(1)))
            } catch {
                return outcome
            }
        }
    }

    private func waitForTurn() async throws(SubscriptionError) {
        guard await turns.wait() else {
            throw SubscriptionError(.cancelled, "the task was cancelled before its turn")
        }
    }

    /// Brings the registration to the stored choice.
    private func settle(_ channel: PushChannel) async throws(SubscriptionError) -> SubscriptionOutcome {
        let choice = try records.choice()
        guard try !records.hasOptedOut(dialect.place.owner),
            dialect.registersWithoutCategories || !choice.categories.isEmpty
        else {
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
        let offered = configuration.languages
        let language = offered.isEmpty ? choice.language : choice.language?.nearest(in: offered)
        return template.description(showing: configuration.text.expression(in: language))
    }

    /// Brings the device's registration to a goal, then removes its registrations at other places.
    private func reach(
        _ goal: RegistrationMachine.Goal,
        _ wanted: WantedRegistration?
    ) async throws(SubscriptionError) -> SubscriptionOutcome {
        switch try await end(of: goal, wanted) {
        case .registered: return try await afterFormer(.registered)
        case .unchanged(let since): return try await afterFormer(.unchanged(since: since))
        case .removed, .absent: return try await afterFormer(.notRegistered)
        case .failed(let error):
            pause.record(error, now: clock())
            guard error.leavesWork else { throw error }
            return .pending(error)
        }
    }

    /// Performs one step after the other, and stores the state after each.
    private func end(
        of goal: RegistrationMachine.Goal,
        _ wanted: WantedRegistration?
    ) async throws(SubscriptionError) -> RegistrationMachine.End {
        var kept = try records.enter(dialect.place, now: clock())
        var machine = RegistrationMachine(state: kept, refresh: configuration.refresh)
        var step = machine.begin(goal, now: clock())
        while true {
            if machine.state != kept {
                kept = machine.state
                try records.store(kept, at: dialect.place)
            }
            if case .end(let end) = step { return end }
            let result: RegistrationMachine.StepResult
            if case .requestID = step, !machine.isSecondTry, let wanted, let known = try await lookUp(wanted) {
                result = known
            } else {
                result = await perform(step, wanted, dialect)
            }
            step = machine.receive(result, now: clock())
        }
    }

    /// Looks up registrations that the device already has, for an app whose storage was lost.
    ///
    /// - Returns: `nil` if the device has none, so that a new id is needed.
    private func lookUp(_ wanted: WantedRegistration) async throws(SubscriptionError) -> RegistrationMachine.StepResult?
    {
        var ids: [String] = []
        for request in dialect.lookups(for: wanted) {
            switch await answer(to: request, dialect) {
            case .failure(let error): return .failed(error)
            case .success(let response):
                guard response.status == 200 else { return .failed(dialect.error(for: response, now: clock())) }
                ids += dialect.ids(in: response)
            }
        }
        guard let first = ids.first else { return nil }
        try records.addFormer(Array(ids.dropFirst()), at: dialect.place, now: clock())
        return .id(first)
    }

    /// Removes the device's registrations at other places.
    ///
    /// - Parameter outcome: The outcome at the current place.
    /// - Returns: The outcome; ``SubscriptionOutcome/pending(_:)`` instead of ``SubscriptionOutcome/notRegistered`` if a
    ///   removal must be retried.
    /// - Throws: ``SubscriptionError`` if the storage fails.
    private func afterFormer(_ outcome: SubscriptionOutcome) async throws(SubscriptionError) -> SubscriptionOutcome {
        var left: SubscriptionError?
        for former in try records.former() {
            guard let id = former.state.id, let dialect = dialect(for: former.place) else { continue }
            switch await remove(id, of: former.place.owner, dialect) {
            case .done, .gone: try records.removeFormer(former)
            case .failed(let error) where error.leavesWork: left = error
            // Another user may be able to.
            case .failed, .id: break
            }
        }
        pause.record(left, now: clock())
        if let left, outcome == .notRegistered { return .pending(left) }
        return outcome
    }

    /// Finds the dialect of a place, with the credentials of its own user or otherwise of another user.
    private func dialect(for place: RegistrationPlace) -> (any RegistrationDialect)? {
        reachable.first { $0.place == place } ?? reachable.first { $0.place.address == place.address }
    }

    private func remove(
        _ id: String,
        of owner: String,
        _ dialect: any RegistrationDialect
    ) async -> RegistrationMachine.StepResult {
        if owner != dialect.place.owner, let takeover = dialect.takeover {
            // A back end does not let a user remove another's registration, but any user can register a device with its
            // handle.
            guard let channel,
                let wanted = try? WantedRegistration(channel: channel, choice: NewsChoice(), template: nil)
            else { return .failed(SubscriptionError(.forbidden, "the registration belongs to another user")) }
            let result = await perform(.requestID, wanted, takeover)
            // A back end built like the tutorial transfers the registration itself, so it must still be deleted.
            guard case .id(id) = result else { return result.asRemoval }
        }
        return await perform(.delete(id: id), nil, dialect)
    }

    private func perform(
        _ step: RegistrationMachine.Step,
        _ wanted: WantedRegistration?,
        _ dialect: any RegistrationDialect
    ) async -> RegistrationMachine.StepResult {
        let request: HTTPRequest
        do throws(SubscriptionError) {
            switch (step, wanted) {
            case (.requestID, let wanted?):
                switch dialect.newID(for: wanted) {
                case .chosen(let id): return .id(id)
                case .request(let asked): request = asked
                }
            case (.put(let id), let wanted?): request = try dialect.put(wanted, id: id)
            case (.delete(let id), _): request = dialect.delete(id: id)
            case (.requestID, nil), (.put, nil), (.end, _):
                return .failed(SubscriptionError(.invalidValue, "there is nothing to register"))
            }
        } catch {
            return .failed(error)
        }
        switch await answer(to: request, dialect) {
        case .success(let response): return dialect.result(of: step, response, now: clock())
        case .failure(let error): return .failed(error)
        }
    }

    private func answer(
        to request: HTTPRequest,
        _ dialect: any RegistrationDialect
    ) async -> Result<HTTPResponse, SubscriptionError> {
        var request = request
        do throws(SubscriptionError) {
            request.headers.append("Authorization", try await dialect.authorization(now: clock()))
        } catch {
            return .failure(error)
        }
        do throws(HTTPTransportError) {
            return .success(try await dialect.transport.send(request))
        } catch {
            return .failure(SubscriptionError(error, from: dialect.server))
        }
    }
}

extension RegistrationMachine.StepResult {
    /// The meaning of a takeover's result for the registration of the former user.
    fileprivate var asRemoval: Self {
        if case .id = self { .done } else { self }
    }
}

/// The settings that may differ between apps.
///
/// ```swift
/// var configuration = SubscriberConfiguration()
/// configuration.text = .newsflash
/// let news = NewsSubscriber(registrar: registrar, storage: storage, configuration: configuration)
/// ```
public struct SubscriberConfiguration: Sendable {
    /// The property of a message that the device shows: `configuration.text = .newsflash`.
    public var text = NewsText.tutorial
    /// The templates of notifications, one per platform; if a platform has two, the first counts: `configuration.templates =
    /// [loud] + NewsTemplate.standard`.
    public var templates = NewsTemplate.standard
    /// The languages that the newsroom offers. A subscriber whose language is not among them gets the nearest, `pt-BR` for
    /// `pt`; otherwise the single text for everyone. If the list is empty, each language is registered as it was chosen, and
    /// one that the sender does not fill shows an empty alert: `configuration.languages = try [NewsLanguage(locale: "pt-BR"),
    /// .english]`.
    public var languages: [NewsLanguage] = []
    /// A name of this device that a backup does not copy to another device: on iOS `configuration.device =
    /// UIDevice.current.identifierForVendor?.uuidString`. Only its digest is stored. Without it, a phone that was restored
    /// from a backup uses the registration of the old phone, and each takes it from the other.
    public var device: String?
    /// The time for which the same content need not be registered again; a day by default: `configuration.refresh =
    /// .seconds(3600)`.
    public var refresh = Duration.seconds(86_400)

    /// Creates a configuration with the defaults, which are the tutorial's: `SubscriberConfiguration()`.
    public init() {}
}
