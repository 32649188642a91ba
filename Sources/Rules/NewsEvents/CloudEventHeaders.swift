/// The attributes of a CloudEvent in binary mode, where headers envelop a value that stays as it was.
///
/// CloudEvents 1.0, Kafka binding: a record is such an event when all four required attributes stand in its headers.
struct CloudEventHeaders {
    /// Names the event within ``source``.
    let id: String
    /// Who says so.
    let source: String

    init?(_ headers: [EventHeader]) {
        guard headers.contains(where: { $0.name.hasPrefix("ce_") }),
            let id = headers.text("ce_id"), let source = headers.text("ce_source"),
            headers.text("ce_specversion") != nil, headers.text("ce_type") != nil
        else { return nil }
        self.id = id
        self.source = source
    }

    /// Whether the value is an envelope that holds the event: structured mode, told by the media type alone.
    static func areStructured(_ headers: [EventHeader]) -> Bool {
        headers.contains { header in
            guard header.name.utf8.count == 12, header.name.lowercased() == "content-type", let value = header.value
            else { return false }
            return String(decoding: value.prefix(mediaType.utf8.count), as: UTF8.self).lowercased() == mediaType
        }
    }

    private static let mediaType = "application/cloudevents"
}
