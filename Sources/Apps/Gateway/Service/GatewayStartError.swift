/// The reason why a gateway cannot start.
package struct GatewayStartError: Error, Sendable, Equatable, CustomStringConvertible {
    /// The kind of the error.
    package enum Code: String, Sendable {
        /// The configuration is invalid.
        case configuration = "gateway_configuration"
        /// The address cannot be bound.
        case address = "gateway_address"
        /// The system has no threads or memory left.
        case system = "gateway_system"
    }

    /// The kind of the error.
    package let code: Code
    /// The message: what failed, where, and what to do; contains no secret.
    package let message: String

    init(_ code: Code, _ message: String) {
        self.code = code
        self.message = message
    }

    /// The message, followed by the code.
    package var description: String { "\(message) [\(code.rawValue)]" }
}
