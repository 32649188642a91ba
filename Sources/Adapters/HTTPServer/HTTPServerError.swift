/// Why a server could not start.
package struct HTTPServerError: Error, Sendable, Equatable, CustomStringConvertible {
    /// What went wrong, in kinds that a program can decide on.
    package struct Code: RawRepresentable, Hashable, Sendable {
        /// The short label for metrics.
        package var rawValue: String

        /// Makes a code.
        ///
        /// - Parameter rawValue: A short label in snake case.
        package init(rawValue: String) {
            self.rawValue = rawValue
        }

        /// The host is neither an address nor a name that resolves.
        package static let cannotResolve = Code(rawValue: "cannot_resolve")
        /// Another socket listens on that address and port.
        package static let portInUse = Code(rawValue: "port_in_use")
        /// The system does not let this process listen there.
        package static let notPermitted = Code(rawValue: "not_permitted")
        /// The address is not one of this machine.
        package static let addressNotAvailable = Code(rawValue: "address_not_available")
        /// The certificate or its key is not taken.
        package static let certificate = Code(rawValue: "certificate")
        /// Anything else, such as too few file descriptors.
        package static let other = Code(rawValue: "other")
    }

    /// What went wrong.
    package var code: Code
    /// For a person: what failed, where, and what to do.
    package var message: String

    /// Makes an error.
    ///
    /// - Parameters:
    ///   - code: What went wrong.
    ///   - message: What failed, where, and what to do.
    package init(code: Code, message: String) {
        self.code = code
        self.message = message
    }

    /// The message with its label.
    package var description: String { "\(message) [\(code.rawValue)]" }
}
