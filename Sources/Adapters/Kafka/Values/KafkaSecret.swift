/// Why a secret cannot be had, in words that quote nothing of it.
public protocol KafkaSecretFault: Error {
    /// What failed, where, and what to do.
    var explanation: String { get }
}

/// A password or token, or the way to get one, that never shows itself in a description, dump or error.
public struct KafkaSecret: Sendable, CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    private let source: @Sendable () throws -> String

    /// Keeps a text.
    ///
    /// - Parameter text: The secret itself.
    public init(_ text: String) {
        self.source = { text }
    }

    /// Keeps a way to get the secret; used anew each time one is needed: a password when a client is made and when
    /// brokers refuse it, a token whenever the last one nears its end.
    ///
    /// - Parameter source: Returns the secret; runs on a thread that may block for a moment, such as for a file.
    public init(reading source: @escaping @Sendable () throws -> String) {
        self.source = source
    }

    /// The secret itself.
    ///
    /// - Parameter purpose: What it is for, named in the error.
    /// - Returns: The text as it was given or read.
    /// - Throws: ``KafkaError`` when the source fails, with the words of a ``KafkaSecretFault``; another error is named by its
    ///   type only, as its text might quote the secret.
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
    /// Without children, so that a dump shows nothing.
    public var customMirror: Mirror { Mirror(self, children: [:]) }
}
