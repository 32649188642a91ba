/// The header that marks a value as an event of our own format, regardless of the format of its source: `newsflash-event: 1`.
///
/// Commands write it, so that people can withdraw a story of a feed in order with the other records of the story.
package enum OwnEvent {
    package static let headerName = "newsflash-event"
    /// The version of the event schema that the value follows; the only supported one.
    static let current = Array("1".utf8)

    /// The header for a record with an event as its value.
    package static let header = EventHeader(name: headerName, value: current)

    /// Returns the version in the headers, empty if the header has no value; `nil` if the header is absent.
    static func version(_ headers: [EventHeader]) -> [UInt8]? {
        headers.last { $0.name == headerName }.map { $0.value ?? [] }
    }

    /// The rejection of a record with another version.
    static let rejection = EventRejection(
        .schema,
        "header \(headerName): must be 1; use a newer worker"
    )
}
