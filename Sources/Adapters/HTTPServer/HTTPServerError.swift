/// Why a server could not start.
package struct HTTPServerError: Error, Sendable, Equatable, CustomStringConvertible {
    /// The kind of error, for decisions by programs.
    package struct Code: RawRepresentable, Hashable, Sendable {
        /// The short label for metrics.
        package var rawValue: String

        /// Creates a code.
        package init(rawValue: String) {
            self.rawValue = rawValue
        }

        /// The host is neither an address nor a name that resolves.
        package static let cannotResolve = Code(rawValue: "cannot_resolve")
        /// Another socket listens on that address and port.
        package static let portInUse = Code(rawValue: "port_in_use")
        /// The system does not allow this process to listen there.
        package static let notPermitted = Code(rawValue: "not_permitted")
        /// The address is not one of this machine.
        package static let addressNotAvailable = Code(rawValue: "address_not_available")
        /// The certificate or its key cannot be used.
        package static let certificate = Code(rawValue: "certificate")
        /// Anything else, such as too few file descriptors.
        package static let other = Code(rawValue: "other")
    }

    /// The kind of error.
    package var code: Code
    /// The text for people: what failed, where, and what to do.
    package var message: String

    /// Creates an error.
    ///
    /// - Parameters:
    ///   - code: The kind of error.
    ///   - message: The text for people: what failed, where, and what to do.
    package init(code: Code, message: String) {
        self.code = code
        self.message = message
    }

    /// The message with its code.
    package var description: String { "\(message) [\(code.rawValue)]" }
}
