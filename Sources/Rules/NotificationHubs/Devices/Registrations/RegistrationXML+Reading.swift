public import NotificationHubsCore
import StrictXML

extension RegistrationXML {
    /// Reads what a device registers from the body of a request.
    ///
    /// `ETag` and `RegistrationId` are not looked at: the request's address and headers say them. `ExpirationTime` must be
    /// absent, nil, empty or the year 9999, which the service gives out for never. No SDK sends another: .NET clears it
    /// before it writes, JavaScript and Java leave it out.
    ///
    /// - Parameter body: An Atom entry, or the description alone.
    /// - Returns: The description, checked, but for its template's expressions.
    /// - Throws: ``DeviceError`` with the service's text.
    public static func read(_ body: [UInt8]) throws(DeviceError) -> RegistrationDescription {
        let reader = RegistrationReader(try description(in: body))
        try reader.refuseExpiration()
        return try reader.description()
    }

    /// Reads a registration from an answer of the hub, or from one entry of a list.
    ///
    /// - Parameter body: An Atom entry, or the description alone.
    /// - Returns: The registration with the hub's own members.
    /// - Throws: ``DeviceError`` where it is none.
    public static func readAnswer(_ body: [UInt8]) throws(DeviceError) -> Registration {
        try RegistrationReader(try description(in: body)).registration()
    }

    /// Finds the description's element: the root, or the first element in an entry's content.
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

    /// The body in UTF-8: Microsoft's sample for Python sends bare bytes of Latin-1 under a declaration of UTF-8.
    private static func utf8(_ body: [UInt8]) -> [UInt8] {
        guard String(validating: body, as: UTF8.self) == nil else { return body }
        return Array(String(String.UnicodeScalarView(body.map { Unicode.Scalar($0) })).utf8)
    }
}
