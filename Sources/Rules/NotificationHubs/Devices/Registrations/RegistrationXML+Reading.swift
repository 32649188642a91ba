public import NotificationHubsCore
import StrictXML

extension RegistrationXML {
    /// Decodes the registration in the body of a request.
    ///
    /// `ETag` and `RegistrationId` are ignored, because the request's path and headers contain them. `ExpirationTime` must be
    /// absent, nil, empty or in the year 9999, which means never in the service's responses. No SDK sends another value: .NET
    /// clears it before writing, JavaScript and Java omit it.
    ///
    /// - Parameter body: An Atom entry, or the description alone.
    /// - Returns: The checked description; the expressions of its template are not checked.
    /// - Throws: ``DeviceError`` with the service's text.
    public static func read(_ body: [UInt8]) throws(DeviceError) -> RegistrationDescription {
        let reader = RegistrationReader(try description(in: body))
        try reader.refuseExpiration()
        return try reader.description()
    }

    /// Decodes a registration in a response of the hub, or one entry of a list.
    ///
    /// - Parameter body: An Atom entry, or the description alone.
    /// - Returns: The registration, including the members that the hub sets.
    /// - Throws: ``DeviceError`` if the body is not a registration.
    public static func readAnswer(_ body: [UInt8]) throws(DeviceError) -> Registration {
        try RegistrationReader(try description(in: body)).registration()
    }

    /// Finds the description's element: the root, or the first element in the content of an entry.
    private static func description(in body: [UInt8]) throws(DeviceError) -> XMLElement {
        let root: XMLElement
        do throws(XMLError) {
            root = try XMLReader.read(utf8(body))
        } catch {
            let place = "line \(error.line), column \(error.column)"
            throw DeviceError(.syntax, "The request body is not valid XML: \(error.message) (\(place)).")
        }
        guard root.localName == "entry" else { return root }
        guard let description = root.first("content")?.elements.first else {
            throw DeviceError(.missing, "The entry has no registration in its content.", at: "content")
        }
        return description
    }

    /// Converts the body to UTF-8: Microsoft's Python sample declares UTF-8 but sends Latin-1.
    private static func utf8(_ body: [UInt8]) -> [UInt8] {
        guard String(validating: body, as: UTF8.self) == nil else { return body }
        return Array(String(String.UnicodeScalarView(body.map { Unicode.Scalar($0) })).utf8)
    }
}
