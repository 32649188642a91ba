import NewsflashHubEmulator
import NewsflashHubRecordings
import NewsflashStrictXML
import NewsflashTimestamps
import NotificationHubs
import Testing

@Suite("Atom documents", .timeLimit(.minutes(1)))
struct AtomDocumentTests {
    private static let host = "sdk-sample-namespace.servicebus.windows.net"
    private static let now = Timestamp(seconds: 1_541_549_912)

    private let registration = Registration(
        id: "1-2-3",
        etag: 4,
        description: RegistrationDescription(channel: .apns(deviceToken: "00FC"))
    )

    @Test(.needsRecordings)
    func `every recorded entry and feed of registrations is written byte for byte`() throws {
        var count = 0
        for answer in try HubRecording.allDotnet() where answer["Content-Type"]?.contains("atom") == true {
            let root = try XMLReader.read(answer.body)
            let entries = root.name == "feed" ? root.elements.filter { $0.name == "entry" } : [root]
            guard entries.first?.first("author") == nil else { continue }
            let registrations = try HubRecording.contents(of: answer.body).map {
                try RegistrationXML.readAnswer(Array($0.utf8))
            }
            let dates = try root.elements.filter { $0.name == "updated" }.map {
                try #require(Timestamp(rfc3339: $0.text))
            }
            let now = try #require(dates.first)
            let collection = try collection(of: #require(root.first("id")).text, isEntry: root.name == "entry")
            let written =
                if root.name == "feed" {
                    AtomFeed.document(
                        of: registrations,
                        in: collection,
                        continuationToken: answer["x-ms-continuationtoken"],
                        now: now
                    )
                } else {
                    AtomEntry.document(of: registrations[0], in: collection, for: .answerToWrite, now: now)
                }
            #expect(String(decoding: written, as: UTF8.self) == answer.body)
            count += 1
        }
        #expect(count > 30)
    }

    /// The list at an address, or the list that contains the entry at that address.
    private func collection(of address: String, isEntry: Bool) throws -> AtomCollection {
        let parts = address.dropFirst("https://".count).split(separator: "?", maxSplits: 1)
        let slash = try #require(parts[0].firstIndex(of: "/"))
        let (host, path, query) = (String(parts[0][..<slash]), String(parts[0][slash...]), String(parts[1]))
        let list = isEntry ? path.prefix(upTo: try #require(path.lastIndex(of: "/"))) : path[...]
        return AtomCollection(host: host, path: String(list), query: query)
    }

    @Test
    func `the address of an entry in a list by tag has the tag's path and the list's query`() {
        let collection = AtomCollection(host: "h:1", path: "/hub/tags/a/registrations/", query: "api-version=2020-06")
        #expect(collection.address == "https://h:1/hub/tags/a/registrations?api-version=2020-06")
        #expect(collection.address(of: "7") == "https://h:1/hub/tags/a/registrations/7?api-version=2020-06")
    }

    @Test
    func `the link to the next page has the whole query encoded again and one token`() {
        let collection = AtomCollection(
            host: "h",
            path: "/hub/registrations",
            query: "api-version=2017-04&$filter=ChannelUri+eq+%27a%27&$top=2&ContinuationToken=old&test"
        )
        #expect(
            collection.next("MzEobik7Mg%3D%3D")
                == "https://h/hub/registrations?api-version=2017-04&%24filter=ChannelUri%20eq%20%27a%27&%24top=2&test"
                + "&continuationtoken=MzEobik7Mg%253D%253D"
        )
    }

    @Test
    func `an address without a query has no question mark`() {
        let collection = AtomCollection(host: "h", path: "/hub/registrations", query: "")
        #expect(collection.address(of: "1") == "https://h/hub/registrations/1")
        #expect(collection.address == "https://h/hub/registrations")
    }

    @Test
    func `an answer to a read has times with a zone, an answer to a write has them without`() throws {
        let collection = AtomCollection(host: "h", path: "/hub/registrations", query: "")
        let read = AtomEntry.document(of: registration, in: collection, for: .answerToRead, now: Self.now)
        #expect(String(decoding: read, as: UTF8.self).contains("<ExpirationTime>9999-12-31T23:59:59.999Z<"))
        let written = AtomEntry.document(of: registration, in: collection, for: .answerToWrite, now: Self.now)
        #expect(String(decoding: written, as: UTF8.self).contains("<ExpirationTime>9999-12-31T23:59:59.999<"))
        #expect(try RegistrationXML.readAnswer(read) == registration)
    }

    @Test(.needsRecordings)
    func `the description of a hub is written as recorded`() throws {
        let recorded = try HubRecording.dotnet("ManagementApi_Fails")[1]
        let rules = [
            AccessRule(
                name: "DefaultListenSharedAccessSignature",
                key: SharedAccessKey("REDACTED"),
                claims: [.listen]
            ),
            AccessRule(
                name: "DefaultFullSharedAccessSignature",
                key: SharedAccessKey("REDACTED"),
                claims: [.send, .manage, .listen]
            ),
        ]
        let created = try #require(Timestamp(rfc3339: "2020-07-02T18:33:22.1346784Z"))
        let document = HubDescriptionEntry.document(
            of: AtomCollection(
                host: "am3verify20200623.servicebus.windows.net",
                path: "/am3verify20200623",
                query: "api-version=2017-04"
            ),
            name: "am3verify20200623",
            namespace: "am3verify20200623",
            rules: rules,
            created: created,
            now: created
        )
        #expect(String(decoding: document, as: UTF8.self) == recorded.body)
    }

    @Test
    func `the feed for a missing hub has no entries`() throws {
        let document = AtomFeed.publiclyListedServices(id: "594a8b69-0b46-4d1b-93fd-fca24d916d08", now: Self.now)
        let feed = try XMLReader.read(document)
        #expect(feed.elements.map(\.name) == ["title", "subtitle", "id", "updated", "generator"])
        #expect(feed.first("title")?.text == "Publicly Listed Services")
        #expect(feed.first("updated")?.text == "2018-11-07T00:18:32Z")
    }
}
