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
