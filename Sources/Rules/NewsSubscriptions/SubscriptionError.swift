/// Why something could not be done. Says what to do; holds no key, token, password or text of news.
///
/// ```swift
/// do {
///     try await news.subscribe(to: [.world])
/// } catch {
///     if error.code == .signInNeeded { showSignIn() } else { print(error) }
/// }
/// ```
public struct SubscriptionError: Error, Sendable, Equatable, CustomStringConvertible {
    /// What happened.
    ///
    /// ```swift
    /// if error.code == .signInNeeded { showSignIn() }
    /// ```
    public struct Code: RawRepresentable, Hashable, Sendable {
        /// The short label for logs, such as `offline`.
        public var rawValue: String

        /// Makes a code, such as `Code(rawValue: "offline")`.
        ///
        /// - Parameter rawValue: A short label in snake case.
        public init(rawValue: String) {
            self.rawValue = rawValue
        }

        /// There is no answer: no network, or nobody listens.
        public static let offline = Code(rawValue: "offline")
        /// The hub or the back end is busy, or out of order.
        public static let unavailable = Code(rawValue: "unavailable")
        /// The hub does not take the key.
        public static let keyRefused = Code(rawValue: "key_refused")
        /// Nobody has signed in, or the back end does not take the credentials.
        public static let signInNeeded = Code(rawValue: "sign_in_needed")
        /// The user, or the key, may not do this.
        public static let forbidden = Code(rawValue: "forbidden")
        /// There is no such hub, or nothing at the back end's address.
        public static let notFound = Code(rawValue: "not_found")
        /// A registration was given up by the hub again as soon as it was made.
        public static let gone = Code(rawValue: "gone")
        /// The hub or the back end does not take what was sent.
        public static let refused = Code(rawValue: "refused")
        /// The answer is none of those that there should be.
        public static let unreadableAnswer = Code(rawValue: "unreadable_answer")
        /// A category, language, device token, address or connection string cannot be one.
        public static let invalidValue = Code(rawValue: "invalid_value")
        /// There is no template for the device's platform.
        public static let noTemplate = Code(rawValue: "no_template")
        /// The task was cancelled before it was done.
        public static let cancelled = Code(rawValue: "cancelled")
        /// What is kept on the device could not be read or written.
        public static let storage = Code(rawValue: "storage")
    }

    /// What happened: `error.code == .offline`.
    public let code: Code
    /// For a developer or a log: what failed and what to do, as in `print(error.message)`.
    public let message: String
    /// Whether the same may succeed later: `if error.isRetriable { … }`.
    public let isRetriable: Bool
    /// How long the other side asks to be left alone: `error.retryAfter ?? .seconds(60)`.
    public let retryAfter: Duration?

    /// Makes an error, for a storage of one's own.
    ///
    /// ```swift
    /// throw SubscriptionError(.storage, "the database is locked: try again once the phone was unlocked", isRetriable: true)
    /// ```
    ///
    /// - Parameters:
    ///   - code: What happened.
    ///   - message: What failed and what to do, without anything secret.
    ///   - isRetriable: Whether the same may succeed later.
    ///   - retryAfter: How long the other side asks to be left alone.
    public init(_ code: Code, _ message: String, isRetriable: Bool = false, retryAfter: Duration? = nil) {
        self.code = code
        self.message = message
        self.isRetriable = isRetriable
        self.retryAfter = retryAfter
    }

    /// The message with the label.
    public var description: String { "\(message) [\(code.rawValue)]" }
}
