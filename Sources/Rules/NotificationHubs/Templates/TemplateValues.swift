import ASCII
public import NotificationHubsCore

/// The values for expressions: the properties of a message, then the push variables of one device.
///
/// Names ignore ASCII case. The precedence of a message's property over the device's variable of the same name is not
/// documented for the service.
public struct TemplateValues: Sendable, Hashable {
    private let properties: [String: String]
    /// The variables, with names in lower case. A list, because there are few.
    private let pushVariables: [NamedValue]

    /// Creates the values for a message and a device.
    ///
    /// - Parameters:
    ///   - properties: The message's properties; of names that differ only in case, the first is used.
    ///   - pushVariables: The device's push variables.
    public init(_ properties: [NamedValue], pushVariables: [NamedValue] = []) {
        self.init(
            properties: Dictionary(
                properties.lazy.map { ($0.name.lowercasedASCII, $0.value) },
                uniquingKeysWith: { first, _ in first }
            ),
            pushVariables: pushVariables
        )
    }

    private init(properties: [String: String], pushVariables: [NamedValue]) {
        self.properties = properties
        self.pushVariables = pushVariables.map { NamedValue($0.name.lowercasedASCII, $0.value) }
    }

    /// Returns the values of the same message for another device; reuses the message's properties.
    ///
    /// - Parameter pushVariables: The other device's push variables.
    /// - Returns: The values.
    public func with(pushVariables: [NamedValue]) -> TemplateValues {
        TemplateValues(properties: properties, pushVariables: pushVariables)
    }

    /// The value of a name.
    ///
    /// - Parameter name: The name, in any case.
    /// - Returns: The value; `nil` if neither the message nor the device has one.
    public subscript(name: String) -> String? { value(ofKey: name.lowercasedASCII) }

    func value(ofKey key: String) -> String? {
        properties[key] ?? (pushVariables.isEmpty ? nil : pushVariables.first { $0.name == key }?.value)
    }
}
