/// Why a gateway cannot start.
package struct GatewayStartError: Error, Sendable, Equatable, CustomStringConvertible {
    /// Whose fault it is.
    package enum Code: String, Sendable {
        /// What was configured cannot be used.
        case configuration = "gateway_configuration"
        /// The address cannot be had.
        case address = "gateway_address"
        /// The system has no thread or memory left.
        case system = "gateway_system"
    }

    /// Whose fault it is.
    package let code: Code
    /// What failed, where, and what to do; holds no secret.
    package let message: String

    init(_ code: Code, _ message: String) {
        self.code = code
        self.message = message
    }

    /// The message with its label.
    package var description: String { "\(message) [\(code.rawValue)]" }
}
