/// A header of a Kafka record.
package struct EventHeader: Sendable, Equatable {
    /// The key, which is case-sensitive; several headers may have the same key.
    package var name: String
    /// The bytes; `nil` if the header has a null value.
    package var value: [UInt8]?

    package init(name: String, value: [UInt8]?) {
        self.name = name
        self.value = value
    }
}

extension [EventHeader] {
    /// The text of the last header with this name; `nil` if it is absent, null, empty or not UTF-8.
    func text(_ name: String) -> String? {
        guard let value = last(where: { $0.name == name })?.value, !value.isEmpty else { return nil }
        return String(validating: value, as: UTF8.self)
    }
}
