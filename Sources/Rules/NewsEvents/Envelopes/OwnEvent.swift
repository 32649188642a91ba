/// The header that marks a value as an event of our own format, whatever the format of its source: `newsflash-event: 1`.
///
/// Commands write it, so that people can withdraw a story of a feed, and the record keeps its place among those of the story.
package enum OwnEvent {
    package static let headerName = "newsflash-event"
    /// The version of the event schema that the value follows; the only one that is read.
    static let current = Array("1".utf8)

    /// The header for a record with an event as its value.
    package static let header = EventHeader(name: headerName, value: current)

    /// Returns the version that headers name, empty if the header has no value; `nil` without the header.
    static func version(_ headers: [EventHeader]) -> [UInt8]? {
        headers.last { $0.name == headerName }.map { $0.value ?? [] }
    }

    /// The fault of a record with another version.
    static let rejection = EventRejection(
        .schema,
        "header \(headerName): must be 1; let a newer worker read the record"
    )
}
