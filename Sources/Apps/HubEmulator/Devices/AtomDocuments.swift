package import NotificationHubs
import StrictXML
package import Timestamps

/// One registration as an Atom entry, byte for byte as the service writes it.
package enum AtomEntry {
    /// The media type of the document.
    package static let contentType = "application/atom+xml; type=entry; charset=utf-8"

    /// Writes the answer to a write, or to a read of one registration.
    ///
    /// - Parameters:
    ///   - registration: What the hub keeps.
    ///   - collection: The list in which it stands, with the query of the request.
    ///   - purpose: Whether the request wrote or read.
    ///   - now: The present instant.
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

    /// The tag of a registration's state, as the header `ETag` has it too.
    ///
    /// - Parameter registration: What the hub keeps.
    /// - Returns: A weak one: `W/"1"`.
    package static func etag(of registration: Registration) -> String { "W/\"\(registration.etag)\"" }

    /// Writes what stands in an entry.
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
    /// The media type of the document.
    package static let contentType = "application/atom+xml; type=feed; charset=utf-8"

    /// Writes a page of a list.
    ///
    /// - Parameters:
    ///   - registrations: Those of the page, in order.
    ///   - collection: The list as it was addressed.
    ///   - continuationToken: As the header `x-ms-continuationtoken` has it: encoded once; nothing on the last page.
    ///   - now: The present instant.
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

    /// Writes what the service answers with 200 to a read of a hub that there is not.
    ///
    /// - Parameters:
    ///   - id: A name for the feed; the service makes up a new one for each of its machines.
    ///   - now: The present instant.
    /// - Returns: A feed without entries.
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

/// Names of Atom documents.
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
    /// Whole seconds: `2018-11-07T00:18:38Z`.
    var atomDate: String { rfc3339.prefix(19) + "Z" }

    /// With the ten millionths of a second of .NET: `2020-07-02T18:33:22.1346784Z`.
    var dateInTicks: String {
        let ticks = String((nanoseconds - seconds * 1_000_000_000) / 100)
        return "\(rfc3339.prefix(19)).\(String(repeating: "0", count: 7 - ticks.utf8.count))\(ticks)Z"
    }
}
