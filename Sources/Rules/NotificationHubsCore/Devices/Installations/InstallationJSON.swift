import StrictJSON

/// Installations in the JSON of the hub's REST interface
/// (https://learn.microsoft.com/rest/api/notificationhubs/create-overwrite-installation).
public enum InstallationJSON {
    /// Reads an installation from the body of a request.
    ///
    /// What only the hub may set (`pushChannelExpired`, `expirationTime`, `lastUpdate`, …) is not looked at, so that
    /// clients can send back what they read. Names of members are compared without case, as the service's own reader does.
    ///
    /// - Parameters:
    ///   - body: A JSON object.
    ///   - id: The id of the request's address; it is kept as it stands there.
    /// - Returns: The installation, checked, but for its templates' expressions.
    /// - Throws: ``DeviceError`` with the text of the answer.
    public static func read(_ body: [UInt8], id: String) throws(DeviceError) -> Installation {
        try InstallationReader(object(in: body)).installation(id: id)
    }

    /// Reads an installation from an answer of the hub, with what only the hub sets.
    ///
    /// - Parameter body: A JSON object, as ``write(_:)`` writes it.
    /// - Returns: The installation.
    /// - Throws: ``DeviceError`` where it is none.
    public static func readAnswer(_ body: [UInt8]) throws(DeviceError) -> Installation {
        let json = try object(in: body)
        guard let id = try json["installationId"]?.string("The installation id") else {
            throw DeviceError(.missing, "The installation has no id.", at: "/installationId")
        }
        var installation = try InstallationReader(json).installation(id: id)
        installation.isChannelExpired = json["pushChannelExpired"]?.value.bool ?? false
        installation.expiration = try ExpirationText.read(
            json["expirationTime"]?.string("The expiration"),
            at: "/expirationTime"
        )
        return installation
    }

    private static func object(in body: [UInt8]) throws(DeviceError) -> PlacedJSON {
        let value: JSONValue
        do throws(JSONError) {
            value = try JSONReader.read(body)
        } catch {
            throw DeviceError(.syntax, "The request body is not valid JSON: \(error.message).", at: error.path)
        }
        guard value.object != nil else { throw DeviceError(.wrongType, "The installation is no JSON object.") }
        return PlacedJSON(value)
    }

    /// Writes an installation as the hub shows it: members in the order of recorded answers, and each template's name
    /// among its tags.
    ///
    /// - Parameter installation: What the hub keeps.
    /// - Returns: A JSON object without white space.
    public static func write(_ installation: Installation) -> [UInt8] {
        InstallationWriter().write(installation)
    }

    /// The body of a request that writes an installation, for clients: without what only the hub may set.
    ///
    /// - Parameter installation: What the device installs.
    /// - Returns: A JSON object without white space.
    /// - Throws: ``DeviceError`` for what the hub would refuse.
    public static func request(_ installation: Installation) throws(DeviceError) -> [UInt8] {
        var installation = installation
        installation.channel = try installation.channel.checked(at: "/pushChannel")
        try installation.check()
        return InstallationWriter(isRequest: true).write(installation)
    }
}
