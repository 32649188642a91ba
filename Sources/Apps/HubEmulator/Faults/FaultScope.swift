/// Which requests a fault can strike; all that go to the hub, where nothing is said.
package struct FaultScope: Sendable, Equatable {
    /// What requests ask for, in groups.
    package enum Operation: String, Sendable, CaseIterable {
        /// Sends to tags, to a handle, in a batch; scheduled ones too.
        case send
        /// What became of a message.
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

    /// Requests by method and path.
    package struct Pattern: Sendable, Equatable {
        /// In capitals; any method where there is none.
        package var method: String?
        /// How the path begins, with the hub's name; compared without case and without escapes.
        package var path: String

        /// Reads a pattern: `POST /newsroom/messages`, or a path alone.
        ///
        /// - Parameter text: A method and a blank may stand before the path, which begins with a slash.
        package init?(_ text: String) {
            let words = text.split(separator: " ", omittingEmptySubsequences: false)
            guard let path = words.last, path.hasPrefix("/"), words.count <= 2 else { return nil }
            if words.count == 2 {
                guard !words[0].isEmpty, words[0].allSatisfy({ $0.isASCII && $0.isLetter }) else { return nil }
                self.method = words[0].uppercased()
            }
            self.path = String(path)
        }

        /// As it is read.
        var text: String { method.map { "\($0) \(path)" } ?? path }

        fileprivate func concerns(_ request: HubCall) -> Bool {
            if let method, method != request.request.method { return false }
            let actual = "/" + request.target.segments.joined(separator: "/")
            return actual.lowercased().hasPrefix(path.lowercased())
        }
    }

    /// Only requests of these groups.
    package var operations: Set<Operation>?
    /// Only requests that one of these concerns.
    package var requests: [Pattern]?
    /// Only requests whose body has this text.
    package var containing: String?

    /// Makes a scope of all requests.
    package init() {}

    /// Whether a request lies within it.
    ///
    /// - Parameter call: A request to the hub.
    /// - Returns: True where all that is said of requests holds.
    func contains(_ call: HubCall) -> Bool {
        if let operations {
            guard let operation = call.operation, operations.contains(operation.group) else { return false }
        }
        if let requests, !requests.contains(where: { $0.concerns(call) }) { return false }
        return containing.map { call.request.body.contains($0) } ?? true
    }
}

extension HubOperation {
    /// The group that faults know it by.
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
