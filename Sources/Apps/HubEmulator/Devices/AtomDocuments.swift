import NewsflashStrictXML
package import NewsflashTimestamps
package import NotificationHubs

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

/// A list of registrations as addressed by a client. The service repeats the address with its query in the id and link of each
/// entry.
package struct AtomCollection: Sendable {
    /// The value of the `Host` header.
    package var host: String
    /// The path as sent: `/hub/registrations`, or `/hub/tags/breaking/registrations`.
    package var path: String
    /// The query as sent, without the question mark; empty if there is none.
    package var query: String

    /// Creates an address.
    ///
    /// - Parameters:
    ///   - host: The value of the `Host` header.
    ///   - path: The path of the list, also if a single entry is requested; a trailing slash is dropped.
    ///   - query: The query as sent, without the question mark.
    package init(host: String, path: String, query: String) {
        self.host = host
        self.path = path.last == "/" ? String(path.dropLast()) : path
        self.query = query
    }

    // Always https: the JavaScript SDK rejects any other scheme in locations, even from an emulator.
    /// The URL of the list.
    package var address: String { "https://\(host)\(path)\(query.isEmpty ? "" : "?\(query)")" }

    /// Returns the URL of one entry.
    ///
    /// - Returns: The URL, with the query of the list.
    package func address(of id: String) -> String {
        "https://\(host)\(path)/\(id)\(query.isEmpty ? "" : "?\(query)")"
    }

    /// Returns the URL of the next page. The whole query is encoded again, so the token is encoded twice; clients use the
    /// header instead.
    ///
    /// - Parameter token: The token as in the header `x-ms-continuationtoken`, percent-encoded once.
    /// - Returns: The URL of the list with the token.
    package func next(_ token: String) -> String {
        var pairs = query.split(separator: "&").map { pair in
            pair.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false).map(Self.encodedAnew)
        }
        pairs.removeAll { $0.first?.lowercased() == "continuationtoken" }
        pairs.append(["continuationtoken", PercentEncoding.encode(token)])
        return "https://\(host)\(path)?" + pairs.map { $0.joined(separator: "=") }.joined(separator: "&")
    }

    private static func encodedAnew(_ part: Substring) -> String {
        let blanks = part.replacing("+", with: " ")
        return PercentEncoding.encode(PercentEncoding.decode(blanks) ?? String(blanks))
    }
}

/// The hub's description as an Atom entry, as returned to clients with the Manage claim.
package enum HubDescriptionEntry {
    /// Writes the document. As in the service, this is the only document with keys. Clients expect two keys for each rule, so
    /// the emulator's single key is written twice.
    ///
    /// - Parameters:
    ///   - hub: The address of the hub; its path is `/hub`.
    ///   - name: The hub's name.
    ///   - namespace: The name of the namespace, written as the author.
    ///   - rules: The access rules.
    ///   - timeToLive: The lifetime of registrations.
    ///   - credentials: The elements of credentials, as XML.
    ///   - created: The creation time of the hub.
    ///   - now: The current time.
    /// - Returns: The document; its media type is that of ``AtomEntry``.
    package static func document(
        of hub: AtomCollection,
        name: String,
        namespace: String,
        rules: [AccessRule],
        timeToLive: RegistrationTimeToLive = .never,
        credentials: String? = nil,
        created: Timestamp,
        now: Timestamp
    ) -> [UInt8] {
        var writer = XMLWriter(reservingCapacity: 2048)
        writer.begin("entry", ("xmlns", Atom.namespace))
        writer.element("id", hub.address)
        writer.title(name)
        writer.element("published", now.atomDate)
        writer.element("updated", now.atomDate)
        writer.begin("author")
        writer.element("name", namespace)
        writer.end("author")
        writer.empty("link", ("rel", "self"), ("href", hub.address))
        writer.begin("content", ("type", "application/xml"))
        writer.begin(
            "NotificationHubDescription",
            ("xmlns", RegistrationXML.serviceNamespace),
            ("xmlns:i", RegistrationXML.instanceNamespace)
        )
        writer.element("RegistrationTtl", timeToLive.text)
        writer.begin("AuthorizationRules")
        for rule in rules { write(rule, created: created, to: &writer) }
        writer.end("AuthorizationRules")
        let end = Array((credentials ?? "").utf8) + Array("</NotificationHubDescription></content></entry>".utf8)
        return writer.bytes + end
    }

    private static func write(_ rule: AccessRule, created: Timestamp, to writer: inout XMLWriter) {
        writer.begin("AuthorizationRule", ("i:type", "SharedAccessAuthorizationRule"))
        writer.element("ClaimType", "SharedAccessKey")
        writer.element("ClaimValue", "None")
        writer.begin("Rights")
        for claim in rule.claims.map(\.rawValue).sorted() { writer.element("AccessRights", claim) }
        writer.end("Rights")
        writer.element("CreatedTime", created.dateInTicks)
        writer.element("ModifiedTime", created.dateInTicks)
        writer.element("KeyName", rule.name)
        writer.element("PrimaryKey", rule.key.secretText)
        writer.element("SecondaryKey", rule.key.secretText)
        writer.end("AuthorizationRule")
    }
}
