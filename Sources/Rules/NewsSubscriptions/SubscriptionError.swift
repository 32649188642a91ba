import NewsflashBasics
import NewsflashHTTPTransport
import NewsflashStrictJSON
public import NewsflashTimestamps

/// An error with a message that says what to do. It contains no key, token, password or text of news.
///
/// ```swift
/// do {
///     try await news.subscribe(to: [.world])
/// } catch {
///     if error.code == .signInNeeded { showSignIn() } else { print(error) }
/// }
/// ```
public struct SubscriptionError: Error, Sendable, Equatable, CustomStringConvertible {
    /// The kind of an error.
    ///
    /// ```swift
    /// if error.code == .signInNeeded { showSignIn() }
    /// ```
    public struct Code: RawRepresentable, Hashable, Sendable {
        /// The short label for logs, such as `offline`.
        public var rawValue: String

        /// Creates a code, such as `Code(rawValue: "offline")`.
        ///
        /// - Parameter rawValue: A short label in snake case.
        public init(rawValue: String) {
            self.rawValue = rawValue
        }

        /// A response is missing: no network, or no server at the address.
        public static let offline = Code(rawValue: "offline")
        /// The hub or the back end is busy or out of order.
        public static let unavailable = Code(rawValue: "unavailable")
        /// The hub rejects the key.
        public static let keyRefused = Code(rawValue: "key_refused")
        /// Nobody is signed in, or the back end rejects the credentials.
        public static let signInNeeded = Code(rawValue: "sign_in_needed")
        /// The user, or the key, lacks the right to do this.
        public static let forbidden = Code(rawValue: "forbidden")
        /// The hub does not exist, or there is nothing at the back end's address.
        public static let notFound = Code(rawValue: "not_found")
        /// The hub dropped a registration again as soon as it was made.
        public static let gone = Code(rawValue: "gone")
        /// The hub or the back end rejects the request.
        public static let refused = Code(rawValue: "refused")
        /// The response is not one of the expected ones.
        public static let unreadableAnswer = Code(rawValue: "unreadable_answer")
        /// A category, language, device token, address or connection string is invalid.
        public static let invalidValue = Code(rawValue: "invalid_value")
        /// The configuration has no template for the device's platform.
        public static let noTemplate = Code(rawValue: "no_template")
        /// The task was cancelled before it finished. Call again if the result is still wanted.
        public static let cancelled = Code(rawValue: "cancelled")
        /// The stored data of the device could not be read or written.
        public static let storage = Code(rawValue: "storage")
    }

    /// The kind of the error: `error.code == .offline`.
    public let code: Code
    /// For a developer or a log: what failed and what to do, as in `print(error.message)`.
    public let message: String
    /// Whether the same may succeed later: `if error.isRetriable { … }`. False for a cancelled call, because its caller no
    /// longer wants it.
    public let isRetriable: Bool
    /// The pause that the server asks for: `error.retryAfter ?? .seconds(60)`.
    public let retryAfter: Duration?
    /// The server's own text in a response that rejects the request, such as the fault of a template, without handles:
    /// `print(error, error.serverText ?? "")`. At most 512 characters; ``description`` does not contain it.
    public private(set) var serverText: String?

    /// Creates an error, for a custom storage.
    ///
    /// ```swift
    /// throw SubscriptionError(.storage, "the database is locked: try again once the phone was unlocked", isRetriable: true)
    /// ```
    ///
    /// - Parameters:
    ///   - code: The kind of the error.
    ///   - message: The failure and what to do, without anything secret.
    ///   - isRetriable: Whether the same may succeed later.
    ///   - retryAfter: The pause that the server asks for.
    public init(_ code: Code, _ message: String, isRetriable: Bool = false, retryAfter: Duration? = nil) {
        self.code = code
        self.message = message
        self.isRetriable = isRetriable
        self.retryAfter = retryAfter
    }

    /// The message with the label.
    public var description: String { "\(message) [\(code.rawValue)]" }
}

extension SubscriptionError {
    /// Whether a registration or its removal stays pending after this error: it may succeed later, or was interrupted.
    var leavesWork: Bool { isRetriable || code == .cancelled }
}

extension SubscriptionError {
    /// Creates the error for a response whose status has no special meaning at its server.
    ///
    /// - Parameters:
    ///   - response: The response.
    ///   - server: The server, as in "the hub".
    ///   - now: The current time.
    init(_ response: HTTPResponse, of server: String, now: Timestamp) {
        let status = response.status
        let pause = response.headers["Retry-After"].flatMap { RetryAfter.pause($0, now: now) }
        switch status {
        case 408, 409, 429, 500...599:
            self.init(
                .unavailable,
                "\(server) is busy or out of order (\(status)): try again later, as retry() does",
                isRetriable: true,
                retryAfter: pause
            )
        case 400..<500:
            self.init(
                .refused,
                "\(server) rejects the request (\(status)): this is an error in the app or its settings; see serverText"
            )
            serverText = ServerText.read(response.body)
        default:
            self.init(
                .unreadableAnswer,
                "\(server) sent an unexpected response (\(status)): check the address"
            )
        }
    }

    /// Creates the error for a missing response.
    ///
    /// - Parameters:
    ///   - error: The error of the transport; its text contains at most the host's name.
    ///   - server: The server, as in "the hub".
    init(_ error: HTTPTransportError, from server: String) {
        switch error.code {
        case .invalidRequest:
            self.init(.invalidValue, "the request to \(server) cannot be sent: check the address and the credentials")
        case .responseTooLarge:
            self.init(.unreadableAnswer, "\(server) sent a response that is too large: check the address")
        case .cancelled:
            self.init(.cancelled, "the request to \(server) was cancelled")
        default:
            self.init(.offline, "\(server) could not be reached (\(error.code.rawValue))", isRetriable: true)
        }
    }
}

/// The text of a response that rejects a request: `Detail` in the hub's XML, `message` and `path` in the gateway's JSON.
private enum ServerText {
    private static let maximumLength = 512

    static func read(_ body: [UInt8]) -> String? {
        let body = Array(body.prefix(8192))
        var text: String
        if let json = try? JSONReader.read(body, maximumDepth: 8), let message = json[member: "message"]?.string {
            text = message
            if let path = json[member: "path"]?.string, !path.isEmpty { text += " (\(path))" }
        } else {
            text = String(decoding: body, as: UTF8.self)
            guard let start = text.firstRange(of: "<Detail>")?.upperBound else { return nil }
            text = String(text[start...])
            for end in ["</Detail>", ".TrackingId:", "TrackingId:"] {
                if let end = text.firstRange(of: end)?.lowerBound { text = String(text[..<end]) }
            }
        }
        let words = text.split(whereSeparator: \.isWhitespace).map { mayBeHandle($0) ? "…" : $0 }
        let line = words.joined(separator: " ").prefix(maximumLength)
        return line.isEmpty ? nil : String(line)
    }

    /// Whether a word is as long as a handle; paths and the service's words have fewer digits. An installation ID of Firebase,
    /// 22 characters of base64url, may have none.
    private static func mayBeHandle(_ word: Substring) -> Bool {
        guard word.utf8.count >= 20 else { return false }
        let parts = word.utf8.split { !$0.isLetterOrDigit && $0 != UInt8(ascii: "-") && $0 != UInt8(ascii: "_") }
        return word.utf8.count(where: \.isDigit) >= 2 || parts.contains { $0.count == 22 }
    }
}

/// The outcome of a call that registers a device or removes its registration.
///
/// ```swift
/// switch try await news.subscribe(to: [.world]) {
/// case .registered, .unchanged: show("Subscribed!")
/// case .pending: show("You will be subscribed as soon as you are online.")
/// case .waitingForDevice: break       // until the platform brings a device token
/// case .notRegistered: show("No more news.")
/// }
/// ```
public enum SubscriptionOutcome: Sendable, Equatable {
    /// The device is registered as requested.
    case registered
    /// The same was registered at that time, less than a day ago, so nothing was sent.
    case unchanged(since: Timestamp)
    /// It failed for now, for a reason that passes, or was cancelled. It is stored, and tried again by
    /// ``NewsSubscriber/retry()`` and at the next launch.
    case pending(SubscriptionError)
    /// The choice is stored. The device is registered when ``NewsSubscriber/register(_:)`` provides its channel.
    case waitingForDevice
    /// The device has no registration: nothing is chosen, or the registration was removed.
    case notRegistered
}

/// The stored status of the device's registration, for a settings screen.
///
/// ```swift
/// if case .registered(let time) = try await news.status() { label.text = "as of \(time)" }
/// ```
public enum SubscriptionStatus: Sendable, Equatable {
    /// The device is not registered.
    case notRegistered
    /// The device was registered at that time.
    case registered(at: Timestamp)
    /// A registration or its removal has been waiting since then for a connection or a busy hub.
    case pending(since: Timestamp)
}
