package import NotificationHubs
import StrictXML
package import Timestamps

/// A registration as an Atom entry, byte for byte as the service writes it.
package enum AtomEntry {
    /// The media type.
    package static let contentType = "application/atom+xml; type=entry; charset=utf-8"

    /// Writes the response to a write, or to a read of one registration.
    ///
    /// - Parameters:
    ///   - registration: The stored registration.
    ///   - collection: The list that contains it, with the query of the request.
    ///   - purpose: Whether the request was a write or a read.
    ///   - now: The current time.
    /// - Returns: The document.
    package static func document(
        of registration: Registration,
        in collection: AtomCollection,
        for purpose: RegistrationXML.Purpose,
        now: Timestamp
    ) -> [UInt8] {
        var writer = XMLWriter(reservingCapacity: 2048)
        writer.begin(
            "entry",
            ("a:etag", etag(of: registration)),
            ("xmlns", Atom.namespace),
            ("xmlns:a", Atom.metadataNamespace)
        )
        write(registration, in: collection, for: purpose, now: now, to: &writer)
        writer.end("entry")
        return writer.bytes
    }

    /// Returns the ETag of a registration, as in the header `ETag`.
    ///
    /// - Parameter registration: The stored registration.
    /// - Returns: A weak tag: `W/"1"`.
    package static func etag(of registration: Registration) -> String { "W/\"\(registration.etag)\"" }

    /// Writes the contents of an entry.
    static func write(
        _ registration: Registration,
        in collection: AtomCollection,
        for purpose: RegistrationXML.Purpose,
        now: Timestamp,
        to writer: inout XMLWriter
    ) {
        let address = collection.address(of: registration.id)
        writer.element("id", address)
        writer.title(registration.id)
        writer.element("published", now.atomDate)
        writer.element("updated", now.atomDate)
        writer.empty("link", ("rel", "self"), ("href", address))
        writer.begin("content", ("type", "application/xml"))
        RegistrationXML.write(registration, to: &writer, for: purpose)
        writer.end("content")
    }
}

/// A list of registrations as an Atom feed, byte for byte as the service writes it.
package enum AtomFeed {
    /// The media type.
    package static let contentType = "application/atom+xml; type=feed; charset=utf-8"

    /// Writes a page of a list.
    ///
    /// - Parameters:
    ///   - registrations: The registrations of the page, in order.
    ///   - collection: The list as addressed by the client.
    ///   - continuationToken: The token as in the header `x-ms-continuationtoken`, percent-encoded once; `nil` on the last
    ///     page.
    ///   - now: The current time.
    /// - Returns: The document.
    package static func document(
        of registrations: [Registration],
        in collection: AtomCollection,
        continuationToken: String?,
        now: Timestamp
    ) -> [UInt8] {
        var writer = XMLWriter(reservingCapacity: 1024 + 1536 * registrations.count)
        writer.begin("feed", ("xmlns", Atom.namespace))
        writer.title("Registrations")
        writer.element("id", collection.address)
        writer.element("updated", now.atomDate)
        writer.empty("link", ("rel", "self"), ("href", collection.address))
        if let continuationToken {
            writer.empty("link", ("rel", "next"), ("href", collection.next(continuationToken)))
        }
        for registration in registrations {
            writer.begin("entry", ("a:etag", AtomEntry.etag(of: registration)), ("xmlns:a", Atom.metadataNamespace))
            AtomEntry.write(registration, in: collection, for: .answerToRead, now: now, to: &writer)
            writer.end("entry")
        }
        writer.end("feed")
        return writer.bytes
    }

    /// Writes the document that the service returns with 200 for a hub that does not exist.
    ///
    /// - Parameters:
    ///   - id: The id of the feed; the service generates one for each of its machines.
    ///   - now: The current time.
    /// - Returns: The feed, without entries.
    package static func publiclyListedServices(id: String, now: Timestamp) -> [UInt8] {
        var writer = XMLWriter(reservingCapacity: 512)
        writer.begin("feed", ("xmlns", Atom.namespace))
        writer.title("Publicly Listed Services")
        writer.begin("subtitle", ("type", "text"))
        writer.text("This is the list of publicly-listed services currently available.")
        writer.end("subtitle")
        writer.element("id", "uuid:\(id);id=1")
        writer.element("updated", now.atomDate)
        writer.element("generator", "Service Bus 1.1")
        writer.end("feed")
        return writer.bytes
    }
}

/// Namespaces of Atom documents.
enum Atom {
    static let namespace = "http://www.w3.org/2005/Atom"
    static let metadataNamespace = "http://schemas.microsoft.com/ado/2007/08/dataservices/metadata"
}

extension XMLWriter {
    mutating func title(_ text: String) {
        begin("title", ("type", "text"))
        self.text(text)
        end("title")
    }
}

extension Timestamp {
    /// The time in whole seconds: `2018-11-07T00:18:38Z`.
    var atomDate: String { rfc3339.prefix(19) + "Z" }

    /// The time with the resolution of .NET, 100 ns: `2020-07-02T18:33:22.1346784Z`.
    var dateInTicks: String {
        let ticks = String((nanoseconds - seconds * 1_000_000_000) / 100)
        return "\(rfc3339.prefix(19)).\(String(repeating: "0", count: 7 - ticks.utf8.count))\(ticks)Z"
    }
}
