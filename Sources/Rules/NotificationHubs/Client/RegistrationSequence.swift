/// All registrations that match a filter, read in pages on demand; see ``NotificationHubClient/allRegistrations(_:)``.
public struct RegistrationSequence: AsyncSequence, Sendable {
    let client: NotificationHubClient
    let filter: RegistrationFilter

    /// Starts at the first page.
    public func makeAsyncIterator() -> Iterator {
        Iterator(client: client, filter: filter)
    }

    /// Iterates over the registrations.
    public struct Iterator: AsyncIteratorProtocol {
        private enum State {
            /// Before the page of a continuation token; `nil` for the first page.
            case before(continuation: String?)
            case within(RegistrationPage, next: Int)
            case ended
        }

        private let client: NotificationHubClient
        private let filter: RegistrationFilter
        private var state = State.before(continuation: nil)

        init(client: NotificationHubClient, filter: RegistrationFilter) {
            self.client = client
            self.filter = filter
        }

        /// Returns the next registration.
        ///
        /// - Returns: The registration; `nil` after the last one and after an error.
        /// - Throws: ``HubError``.
        public mutating func next() async throws(HubError) -> Registration? {
            try await next(isolation: #isolation)
        }

        /// Returns the next registration.
        ///
        /// - Parameter actor: The actor that calls it.
        /// - Returns: The registration; `nil` after the last one and after an error.
        /// - Throws: ``HubError``.
        public mutating func next(isolation actor: isolated (any Actor)?) async throws(HubError) -> Registration? {
            while true {
                switch state {
                case .ended: return nil
                case .within(let page, let index):
                    if index < page.registrations.count {
                        state = .within(page, next: index + 1)
                        return page.registrations[index]
                    }
                    state = page.continuation.map { .before(continuation: $0) } ?? .ended
                case .before(let continuation):
                    // The iteration ends if the read fails.
                    state = .ended
                    let page = try await client.registrations(filter, after: continuation)
                    // Prevents an endless loop.
                    if let continuation, page.continuation == continuation {
                        throw HubError(
                            .unreadableAnswer,
                            "listing registrations at \(client.hubURL) was answered with the same page again: "
                                + "its continuation token refers to itself",
                            operation: .listRegistrations
                        )
                    }
                    state = .within(page, next: 0)
                }
            }
        }
    }
}
