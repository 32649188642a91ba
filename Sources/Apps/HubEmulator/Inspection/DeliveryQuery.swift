import NewsflashStrictJSON
import NotificationHubs

/// The reason why a request below `/_emulator` is refused with 400.
struct InspectionProblem: Error {
    let message: String

    init(_ message: String) {
        self.message = message
    }
}

/// The requested part of a list.
struct PageQuery: Sendable {
    /// The sequence number after which the page starts.
    let after: Int64
    /// The maximum number of entries.
    let limit: Int

    /// Parses `after` and `limit`.
    init(_ target: RequestTarget) throws(InspectionProblem) {
        let after = target.value(of: "after").map { Int64($0) } ?? 0
        let limit = target.value(of: "limit").map { Int($0) } ?? InspectionPage.mostEntries
        guard let after, let limit, limit > 0 else {
            throw InspectionProblem("after and limit must be whole numbers")
        }
        self.after = after
        self.limit = min(limit, InspectionPage.mostEntries)
    }
}

/// The query of a list of deliveries: the page, the filters, and how long to wait for deliveries.
struct DeliveryQuery: Sendable {
    private static let defaultTimeout = Duration.seconds(5)
    private static let longestTimeout = Duration.seconds(60)

    let page: PageQuery
    /// The number of matching deliveries to wait for, and the maximum time; `nil` to respond at once.
    let wait: (count: Int, timeout: Duration)?
    private let send: Int64?
    private let notifications: Set<String>
    private let installations: Set<String>
    private let registrations: Set<RegistrationName>
    private let handles: HandleFilter

    /// Parses a query.
    init(_ target: RequestTarget) throws(InspectionProblem) {
        page = try PageQuery(target)
        wait = try Self.wait(target)
        let send = target.value(of: "send").map { Int64($0) }
        if let send, send == nil { throw InspectionProblem("send must be the sequence number of a send") }
        self.send = send ?? nil
        notifications = Set(target.values(of: "notificationid"))
        installations = Set(target.values(of: "installation").map { $0.lowercased() })
        registrations = Set(target.values(of: "registration").map { RegistrationName($0) })
        handles = HandleFilter(target)
    }

    private static func wait(_ target: RequestTarget) throws(InspectionProblem) -> (count: Int, timeout: Duration)? {
        guard let text = target.value(of: "wait") else {
            if target.hasFlag("timeout") { throw InspectionProblem("timeout requires wait") }
            return nil
        }
        guard let count = Int(text), (1...InspectionPage.mostEntries).contains(count) else {
            throw InspectionProblem("wait must be a number of deliveries from 1 to \(InspectionPage.mostEntries)")
        }
        guard let timeout = target.value(of: "timeout") else { return (count, defaultTimeout) }
        let seconds = Int64(timeout).map { JSONValue.number(JSONNumber($0)) }
        guard let duration = (seconds ?? .string(timeout)).duration, duration <= longestTimeout else {
            throw InspectionProblem("timeout must be a duration of at most 60s, such as 500ms or 5s")
        }
        return (count, duration)
    }

    /// Whether a delivery is in the list. Of installations, registrations and handles, one must match.
    func matches(_ delivery: Delivery) -> Bool {
        if let send, delivery.send != send { return false }
        if !notifications.isEmpty, !notifications.contains(delivery.notificationID) { return false }
        if installations.isEmpty, registrations.isEmpty, handles.isEmpty { return true }
        return handles.contains(delivery.handle, of: delivery.platform)
            || delivery.registration.map(registrations.contains) ?? false
            || (!installations.isEmpty
                && delivery.installationID.map { installations.contains($0.lowercased()) } ?? false)
    }
}

/// The values of the parameter `handle`. Tokens of Apple match in any case, because the hub stores them in upper case.
struct HandleFilter: Sendable {
    private let handles: Set<String>
    private let tokens: Set<String>

    init(_ target: RequestTarget) {
        handles = Set(target.values(of: "handle"))
        tokens = Set(handles.map { $0.uppercased() })
    }

    var isEmpty: Bool { handles.isEmpty }

    func contains(_ handle: String, of platform: PushPlatform) -> Bool {
        handles.contains(handle) || platform == .apns && tokens.contains(handle.uppercased())
    }
}

extension RequestTarget {
    /// Refuses parameters that a list does not have, because otherwise a misspelled filter would return everything.
    ///
    /// - Parameters:
    ///   - known: The parameters of the list.
    ///   - list: The name of the list.
    /// - Throws: The problem, with the known parameters.
    func checkNames(_ known: [String], of list: String) throws(InspectionProblem) {
        guard let unknown = queryNames.first(where: { name in !known.contains { $0.lowercased() == name } }) else {
            return
        }
        throw InspectionProblem(
            "the parameter '\(unknown.prefix(100))' is unknown; /_emulator/\(list) has \(known.joined(separator: ", "))"
        )
    }
}
