/// The reason why a secret cannot be read, in words that contain nothing of it.
public protocol KafkaSecretFault: Error {
    /// The failure, its place, and what to do.
    var explanation: String { get }
}

/// A password or token, or a way to get one, that is never shown in a description, dump or error.
public struct KafkaSecret: Sendable, CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    private let source: @Sendable () throws -> String

    /// Keeps a text.
    ///
    /// - Parameter text: The secret itself.
    public init(_ text: String) {
        self.source = { text }
    }

    /// Keeps a way to get the secret, which is used each time a secret is needed: a password when a client is created and when
    /// brokers refuse it, a token when the last one is about to expire.
    ///
    /// - Parameter source: Returns the secret; runs on a thread that may block for a moment, such as for a file.
    public init(reading source: @escaping @Sendable () throws -> String) {
        self.source = source
    }

    /// Returns the secret itself.
    ///
    /// - Parameter purpose: Its purpose, for the error.
    /// - Returns: The text as it was given or read.
    /// - Throws: ``KafkaError`` if the source fails, with the explanation of a ``KafkaSecretFault``; for other errors it
    ///   contains only the type, because their text might contain the secret.
    func read(for purpose: String) throws(KafkaError) -> String {
        do {
            return try source()
        } catch {
            let reason = (error as? any KafkaSecretFault)?.explanation ?? "\(type(of: error))"
            throw KafkaError(.authentication, "the secret for \(purpose) cannot be read: \(reason)")
        }
    }

    /// `<redacted>`.
    public var description: String { "<redacted>" }
    /// `<redacted>`.
    public var debugDescription: String { "<redacted>" }
    /// Has no children, so that a dump shows nothing.
    public var customMirror: Mirror { Mirror(self, children: [:]) }
}
