/// A header of a Kafka record.
package struct EventHeader: Sendable, Equatable {
    /// The key; Kafka compares it with regard to case and lets it stand several times.
    package var name: String
    /// The bytes; nothing where the header has a null value.
    package var value: [UInt8]?

    package init(name: String, value: [UInt8]?) {
        self.name = name
        self.value = value
    }
}

extension [EventHeader] {
    /// The text of the last header of a name; nothing where it is null, empty or not UTF-8.
    func text(_ name: String) -> String? {
        guard let value = last(where: { $0.name == name })?.value, !value.isEmpty else { return nil }
        return String(validating: value, as: UTF8.self)
    }
}
