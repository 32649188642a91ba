import StrictJSON

/// Installations in the JSON of the hub's REST interface
/// (https://learn.microsoft.com/rest/api/notificationhubs/create-overwrite-installation).
public enum InstallationJSON {
    /// Decodes an installation from a request body.
    ///
    /// Members that only the hub sets (`pushChannelExpired`, `expirationTime`, `lastUpdate`, …) are ignored, so that clients
    /// can
    /// send back an installation they read. Names of members ignore case, as in the service.
    ///
    /// - Parameters:
    ///   - body: A JSON object.
    ///   - id: The ID in the request's path, used as it is.
    /// - Returns: The checked installation; the expressions of its templates are not checked.
    /// - Throws: ``DeviceError`` with the text of the response.
    public static func read(_ body: [UInt8], id: String) throws(DeviceError) -> Installation {
        try InstallationReader(object(in: body)).installation(id: id)
    }

    /// Decodes an installation from a response of the hub, including members that only the hub sets.
    ///
    /// - Parameter body: A JSON object, as encoded by ``write(_:)``.
    /// - Returns: The installation.
    /// - Throws: ``DeviceError`` if the body is not an installation.
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
        guard value.object != nil else { throw DeviceError(.wrongType, "The installation is not a JSON object.") }
        return PlacedJSON(value)
    }

    /// Encodes an installation like the hub: members in the order of recorded responses, and each template's name among its
    /// tags.
    ///
    /// - Parameter installation: The installation as stored by the hub.
    /// - Returns: A JSON object without white space.
    public static func write(_ installation: Installation) -> [UInt8] {
        InstallationWriter().write(installation)
    }

    /// Encodes a request body that creates or replaces an installation, without members that only the hub sets.
    ///
    /// - Parameter installation: The installation.
    /// - Returns: A JSON object without white space.
    /// - Throws: ``DeviceError`` if the hub would reject the installation.
    public static func request(_ installation: Installation) throws(DeviceError) -> [UInt8] {
        var installation = installation
        installation.channel = try installation.channel.checked(at: "/pushChannel")
        try installation.check()
        return InstallationWriter(isRequest: true).write(installation)
    }
}
