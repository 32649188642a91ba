/// The reason why a worker did not start, and what to do.
package struct WorkerStartError: Error, Sendable, CustomStringConvertible {
    /// The kind of the cause; decides the exit code.
    package enum Code: Sendable {
        case configuration
        case kafka
        case system
        /// The start was cancelled.
        case cancelled
    }

    package var code: Code
    package var description: String

    init(_ code: Code, _ description: String) {
        self.code = code
        self.description = description
    }

    init(_ error: any Error) {
        switch error {
        case let error as WorkerStartError: self = error
        case let error as HubCredentialsError: self.init(.configuration, error.description)
        default: self.init(.configuration, "\(error)")
        }
    }
}
