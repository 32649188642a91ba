import NewsflashHTTPTransport
import NewsflashTimestamps

/// The requests and responses by which registrations are made at a hub or a back end.
protocol RegistrationDialect: Sendable {
    /// The hub or the back end, and the signed-in user.
    var place: RegistrationPlace { get }
    /// The name of the server for errors: `the hub`.
    var server: String { get }
    /// The dialect that takes over a device from its former user; `nil` if devices have no users.
    var takeover: GatewayDialect? { get }
    /// The transport of the requests.
    var transport: any HTTPTransport { get }
    /// Whether the device shows notifications from its template, instead of those that the back end sends to each platform.
    var usesTemplates: Bool { get }
    /// Whether a device is registered although its subscriber has chosen nothing: for messages to its user.
    var registersWithoutCategories: Bool { get }

    /// The value of `Authorization`.
    func authorization(now: Timestamp) async throws(SubscriptionError) -> String

    /// The requests that list the device's registrations; empty if the server looks for them itself.
    func lookups(for wanted: WantedRegistration) -> [HTTPRequest]

    /// The ids in the response to such a request.
    func ids(in response: HTTPResponse) -> [String]

    /// The way to get a new id.
    func newID(for wanted: WantedRegistration) -> NewRegistrationID

    /// The request that writes a registration.
    ///
    /// - Throws: ``SubscriptionError`` for a registration that cannot be encoded.
    func put(_ wanted: WantedRegistration, id: String) throws(SubscriptionError) -> HTTPRequest

    /// The request that removes a registration.
    func delete(id: String) -> HTTPRequest

    /// The id in the response to the request for one.
    func id(in response: HTTPResponse) -> String?

    /// The error for an unsuccessful response.
    func error(for response: HTTPResponse, now: Timestamp) -> SubscriptionError

    /// Whether a response to a write means that the id is no longer valid.
    func isGone(_ response: HTTPResponse) -> Bool
}

extension RegistrationDialect {
    func lookups(for wanted: WantedRegistration) -> [HTTPRequest] { [] }
    func ids(in response: HTTPResponse) -> [String] { [] }
}

/// The source of a new id.
enum NewRegistrationID {
    /// The server assigns the id.
    case request(HTTPRequest)
    /// The device chooses the id.
    case chosen(String)
}

extension RegistrationDialect {
    /// The result of a step, from its response.
    ///
    /// - Parameters:
    ///   - step: The step.
    ///   - response: The response.
    ///   - now: The current time, for a `Retry-After` with a date.
    /// - Returns: The result for the state machine.
    func result(
        of step: RegistrationMachine.Step,
        _ response: HTTPResponse,
        now: Timestamp
    ) -> RegistrationMachine.StepResult {
        let isSuccess = (200...204).contains(response.status)
        switch step {
        case .requestID where isSuccess:
            guard let id = id(in: response) else {
                return .failed(.init(.unreadableAnswer, "the response has no registration id: check the address"))
            }
            return .id(id)
        case .put where isSuccess, .delete where isSuccess: return .done
        case .put where isGone(response): return .gone(error(for: response, now: now))
        // The registration is removed, as wanted.
        case .delete where isGone(response): return .done
        case .requestID, .put, .delete, .end: return .failed(error(for: response, now: now))
        }
    }
}

/// The rule for ids, which are part of addresses and of stored lines.
enum RegistrationID {
    static func isSound(_ id: String) -> Bool {
        (1...256).contains(id.utf8.count)
            && id.utf8.allSatisfy { (0x21...0x7E).contains($0) && $0 != UInt8(ascii: "/") }
    }
}
