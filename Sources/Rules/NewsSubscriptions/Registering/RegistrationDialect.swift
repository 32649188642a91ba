import HTTPTransport
import Timestamps

/// How registrations are made at a hub or a back end: builds requests and reads answers.
protocol RegistrationDialect: Sendable {
    /// The hub or the back end, and who has signed in.
    var place: RegistrationPlace { get }
    /// Who answers, for errors: `the hub`.
    var server: String { get }
    /// The steps that take a device from its former user; `nil` if devices have no users.
    var takeover: GatewayDialect? { get }
    /// Carries the requests.
    var transport: any HTTPTransport { get }
    /// Whether the device shows what its template makes, and not what the back end sends each platform.
    var usesTemplates: Bool { get }
    /// Whether a device is registered though its reader has chosen nothing: for what is for the user alone.
    var registersWithoutCategories: Bool { get }

    /// The value of `Authorization`.
    func authorization(now: Timestamp) async throws(SubscriptionError) -> String

    /// The request that lists what the device has already; `nil` if the other side looks for itself.
    func lookup(for wanted: WantedRegistration) -> HTTPRequest?

    /// The ids in the answer to that request.
    func ids(in response: HTTPResponse) -> [String]

    /// How to get a new id.
    func newID(for wanted: WantedRegistration) -> NewRegistrationID

    /// The request that writes a registration.
    ///
    /// - Throws: ``SubscriptionError`` for a registration that cannot be written down.
    func put(_ wanted: WantedRegistration, id: String) throws(SubscriptionError) -> HTTPRequest

    /// The request that removes one.
    func delete(id: String) -> HTTPRequest

    /// The id in the answer to the request for one.
    func id(in response: HTTPResponse) -> String?

    /// Why an answer is no success.
    func error(for response: HTTPResponse, now: Timestamp) -> SubscriptionError

    /// Whether an answer to a write says that the id is no longer good.
    func isGone(_ response: HTTPResponse) -> Bool
}

extension RegistrationDialect {
    func lookup(for wanted: WantedRegistration) -> HTTPRequest? { nil }
    func ids(in response: HTTPResponse) -> [String] { [] }
}

/// Where a new id comes from.
enum NewRegistrationID {
    /// The other side gives them out.
    case request(HTTPRequest)
    /// The device chooses.
    case chosen(String)
}

extension RegistrationDialect {
    /// What came of a step.
    ///
    /// - Parameters:
    ///   - step: What was asked.
    ///   - response: The answer.
    ///   - now: The present instant, from which a `Retry-After` with a date counts.
    /// - Returns: For the machine.
    func result(
        of step: RegistrationMachine.Step,
        _ response: HTTPResponse,
        now: Timestamp
    ) -> RegistrationMachine.StepResult {
        let isSuccess = (200...204).contains(response.status)
        switch step {
        case .requestID where isSuccess:
            guard let id = id(in: response) else {
                return .failed(.init(.unreadableAnswer, "the answer holds no registration id: is the address right?"))
            }
            return .id(id)
        case .put where isSuccess, .delete where isSuccess: return .done
        case .put where isGone(response): return .gone(error(for: response, now: now))
        // It is away, as wanted.
        case .delete where isGone(response): return .done
        case .requestID, .put, .delete, .end: return .failed(error(for: response, now: now))
        }
    }
}

/// What an id may be to stand in an address and in a storage.
enum RegistrationID {
    static func isSound(_ id: String) -> Bool {
        (1...256).contains(id.utf8.count)
            && id.utf8.allSatisfy { (0x21...0x7E).contains($0) && $0 != UInt8(ascii: "/") }
    }
}
