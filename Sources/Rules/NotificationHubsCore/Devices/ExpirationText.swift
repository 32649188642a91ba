package import Timestamps

/// When the hub drops a registration or installation, as the service spells it.
package enum ExpirationText {
    /// Never, as recorded of registrations.
    static let never = "9999-12-31T23:59:59.999Z"
    /// Never, as recorded of installations and the registrations behind them.
    static let neverOfInstallation = "9999-12-31T23:59:59.9999999Z"

    /// Whether a text says never: it has the last day of .NET, with whatever fraction and zone, or it is empty.
    package static func isNever(_ text: String) -> Bool { text.isEmpty || text.hasPrefix("9999-12-31T") }

    /// Reads an instant. Answers to writes have no zone, and mean UTC.
    ///
    /// - Parameters:
    ///   - text: Nothing for never.
    ///   - path: Where it stands.
    /// - Returns: Nothing for never.
    /// - Throws: For what is no instant.
    package static func read(_ text: String?, at path: String) throws(DeviceError) -> Timestamp? {
        guard let text, !isNever(text) else { return nil }
        guard let expiration = Timestamp(rfc3339: text) ?? Timestamp(rfc3339: text + "Z") else {
            throw DeviceError(.wrongType, "The expiration is no instant.", at: path)
        }
        return expiration
    }
}
