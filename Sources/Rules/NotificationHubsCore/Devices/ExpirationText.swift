package import Timestamps

/// The expiration of a registration or installation, in the service's format.
package enum ExpirationText {
    /// Never, as observed in registrations.
    static let never = "9999-12-31T23:59:59.999Z"
    /// Never, as observed in installations and their registrations.
    static let neverOfInstallation = "9999-12-31T23:59:59.9999999Z"

    /// Whether a text means never: it is empty, or is on the last day of .NET's calendar with any fraction and zone.
    package static func isNever(_ text: String) -> Bool { text.isEmpty || text.hasPrefix("9999-12-31T") }

    /// Decodes an expiration. Responses to writes have no time zone and mean UTC.
    ///
    /// - Parameters:
    ///   - text: The text; `nil` means never.
    ///   - path: The position in the document, for errors.
    /// - Returns: The expiration; `nil` means never.
    /// - Throws: ``DeviceError`` if the text is not a timestamp.
    package static func read(_ text: String?, at path: String) throws(DeviceError) -> Timestamp? {
        guard let text, !isNever(text) else { return nil }
        guard let expiration = Timestamp(rfc3339: text) ?? Timestamp(rfc3339: text + "Z") else {
            throw DeviceError(.wrongType, "The expiration is not a timestamp.", at: path)
        }
        return expiration
    }
}
