/// All registrations of a filter, page by page as they are needed; see ``NotificationHubClient/allRegistrations(_:)``.
public struct RegistrationSequence: AsyncSequence, Sendable {
    let client: NotificationHubClient
    let filter: RegistrationFilter

    /// Begins with the first page.
    public func makeAsyncIterator() -> Iterator {
        Iterator(client: client, filter: filter)
    }

    /// Goes through the registrations.
    public struct Iterator: AsyncIteratorProtocol {
        private enum State {
            /// The page that begins with a token, the first one with none.
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

        /// The next registration.
        ///
        /// - Returns: Nothing after the last one, and after an error.
        /// - Throws: ``HubError``.
        public mutating func next() async throws(HubError) -> Registration? {
            try await next(isolation: #isolation)
        }

        /// The next registration.
        ///
        /// - Parameter actor: Whose work it is.
        /// - Returns: Nothing after the last one, and after an error.
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
                    // Where reading fails, this is the end.
                    state = .ended
                    let page = try await client.registrations(filter, after: continuation)
                    // Else it would never end.
                    if let continuation, page.continuation == continuation {
                        throw HubError(
                            .unreadableAnswer,
                            "listing registrations at \(client.hubURL) was answered with the same page again: "
                                + "its continuation leads to itself",
                            operation: .listRegistrations
                        )
                    }
                    state = .within(page, next: 0)
                }
            }
        }
    }
}
