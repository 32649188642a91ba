/// The requests that a fault can apply to; by default all requests to the hub.
package struct FaultScope: Sendable, Equatable {
    /// Groups of operations.
    package enum Operation: String, Sendable, CaseIterable {
        /// Sends to tags, to a handle or in a batch, including scheduled ones.
        case send
        /// Telemetry of notifications.
        case telemetry
        /// Registrations, their ids and lists.
        case registration
        /// Installations.
        case installation
        /// Import, export and the feedback container.
        case job
        /// The hub itself.
        case hub
    }

    /// A pattern for method and path.
    package struct Pattern: Sendable, Equatable {
        /// The method in upper case; `nil` for any.
        package var method: String?
        /// The beginning of the path, with the hub's name; compared with the decoded path, case-insensitively.
        package var path: String

        /// Parses a pattern: `POST /newsroom/messages`, or a path alone.
        ///
        /// - Parameter text: An optional method and a space, followed by a path that begins with a slash.
        package init?(_ text: String) {
            let words = text.split(separator: " ", omittingEmptySubsequences: false)
            guard let path = words.last, path.hasPrefix("/"), words.count <= 2 else { return nil }
            if words.count == 2 {
                guard !words[0].isEmpty, words[0].allSatisfy({ $0.isASCII && $0.isLetter }) else { return nil }
                self.method = words[0].uppercased()
            }
            self.path = String(path)
        }

        /// The pattern in the form that is parsed.
        var text: String { method.map { "\($0) \(path)" } ?? path }

        fileprivate func concerns(_ request: HubCall) -> Bool {
            if let method, method != request.request.method { return false }
            let actual = "/" + request.target.segments.joined(separator: "/")
            return actual.lowercased().hasPrefix(path.lowercased())
        }
    }

    /// Restricts the scope to these groups.
    package var operations: Set<Operation>?
    /// Restricts the scope to requests that match one of these patterns.
    package var requests: [Pattern]?
    /// Restricts the scope to requests whose body contains this text.
    package var containing: String?

    /// Creates a scope of all requests.
    package init() {}

    /// Whether a request is in the scope.
    ///
    /// - Parameter call: A request to the hub.
    /// - Returns: True if all restrictions match.
    func contains(_ call: HubCall) -> Bool {
        if let operations {
            guard let operation = call.operation, operations.contains(operation.group) else { return false }
        }
        if let requests, !requests.contains(where: { $0.concerns(call) }) { return false }
        return containing.map { call.request.body.contains($0) } ?? true
    }
}

extension HubOperation {
    /// The group of the operation, for faults.
    fileprivate var group: FaultScope.Operation {
        switch self {
        case .send, .scheduleSend, .cancelScheduledSend: .send
        case .telemetry: .telemetry
        case .createRegistrationID, .createRegistration, .listRegistrations, .registration, .listTagged: .registration
        case .installation: .installation
        case .feedbackContainer, .jobs, .job: .job
        case .hub, .listHubs: .hub
        }
    }
}

extension [UInt8] {
    fileprivate func contains(_ text: String) -> Bool {
        let wanted = Array(text.utf8)
        guard let first = wanted.first else { return true }
        guard count >= wanted.count else { return false }
        return (0...(count - wanted.count)).contains { self[$0] == first && self[$0...].starts(with: wanted) }
    }
}
