import ASCII
public import NotificationHubsCore

/// What expressions read: the properties of a message and, behind them, the push variables of one device.
///
/// Names ignore the case of ASCII letters. That a message's property goes before the device's variable of the same name
/// is not documented for the service.
public struct TemplateValues: Sendable, Hashable {
    private let properties: [String: String]
    /// Lower-cased names; there are few.
    private let pushVariables: [NamedValue]

    /// Gathers values.
    ///
    /// - Parameters:
    ///   - properties: Of the message; of names that differ only in case the first counts.
    ///   - pushVariables: Of one device.
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

    /// The same message for another device, without gathering its properties again.
    ///
    /// - Parameter pushVariables: Of that device.
    /// - Returns: The message's properties before these variables.
    public func with(pushVariables: [NamedValue]) -> TemplateValues {
        TemplateValues(properties: properties, pushVariables: pushVariables)
    }

    /// The value of a name.
    ///
    /// - Parameter name: In any case.
    /// - Returns: Nothing where neither the message nor the device has it.
    public subscript(name: String) -> String? { value(ofKey: name.lowercasedASCII) }

    func value(ofKey key: String) -> String? {
        properties[key] ?? (pushVariables.isEmpty ? nil : pushVariables.first { $0.name == key }?.value)
    }
}
