import NewsflashStrictJSON
import NewsflashWorker
import Testing

@testable import NewsflashCommands
@testable import NewsflashOperations

/// `newsflash config show`
@Suite(.timeLimit(.minutes(1)))
struct ConfigurationListingTests {
    private static let text = """
        version: 1
        hub: regional
        locales: { offered: [en, fr], default: en }
        categories: { World: [world, "medtop:16000000"] }
        kafka:
          group: night
          properties: { client.rack: south }
        """

    private func listing(below prefix: String? = nil) throws -> ConfigurationListing {
        let environment = [
            "NEWSFLASH_DELIVERY_DRAIN": "20s",
            "NEWSFLASH_HUB_CONNECTION_STRING": "Endpoint=sb://a.b/;SharedAccessKeyName=c;SharedAccessKey=c2VjcmV0",
        ]
        let reader = ConfigurationReader(environment: environment)
        let values = try reader.read(text: Self.text, source: "newsflash.yaml").values
        return ConfigurationListing(values, file: "newsflash.yaml", below: prefix)
    }

    private func words(_ line: String) -> [String] { line.split(separator: " ").map(String.init) }

    @Test func `a line has the key, the value in force and its origin`() throws {
        let lines = try listing().lines.map(words)
        #expect(lines.contains(["kafka.group", "night", "newsflash.yaml:6"]))
        #expect(lines.contains(["delivery.drain", "20s", "NEWSFLASH_DELIVERY_DRAIN"]))
        #expect(lines.contains(["delivery.longestPause", "1m", "default"]))
        #expect(lines.contains(["kafka.caFile", "-", "default"]))
        #expect(lines.contains(["categories.World", "[world,", "medtop:16000000]", "newsflash.yaml:4"]))
    }

    @Test func `secrets are hidden in lines and in JSON`() throws {
        let listing = try listing()
        let lines = listing.lines
        let place = "hidden, from NEWSFLASH_HUB_CONNECTION_STRING"
        #expect(lines.contains("(the connection string of the hub main: \(place))"))
        #expect(!lines.contains { $0.hasPrefix("hubs.main.connectionString") }, "lint refuses such a key")
        #expect(try self.listing(below: "hubs.main.connectionString").isEmpty)
        #expect(try self.listing(below: "hubs.main").lines.count == 1)
        let all = lines + listing.json.map { String(decoding: $0, as: UTF8.self) }
        #expect(!all.contains { $0.contains("c2VjcmV0") })
    }

    @Test func `JSON has an object for each key`() throws {
        let objects = try listing().json.map { try JSONReader.read($0) }
        let group = try #require(objects.first { $0[member: "key"]?.string == "kafka.group" })
        #expect(group[member: "value"]?.string == "night")
        #expect(group[member: "origin"]?.string == "newsflash.yaml:6")
        #expect(group[member: "line"]?.int64 == 6)
        let world = try #require(objects.first { $0[member: "key"]?.string == "categories.World" })
        #expect(world[member: "value"]?.array?.compactMap(\.string) == ["world", "medtop:16000000"])
        let secret = try #require(objects.first { $0[member: "connectionStringOf"]?.string == "main" })
        #expect(secret[member: "key"] == nil)
        #expect(secret[member: "origin"]?.string == "NEWSFLASH_HUB_CONNECTION_STRING")
        #expect(secret[member: "value"] == .null)
        #expect(secret[member: "secret"]?.bool == true)
    }

    @Test func `a prefix selects a section or a key, not keys that begin with the same letters`() throws {
        #expect(try listing(below: "kafka.group").lines.count == 1)
        #expect(try listing(below: "policy.life").lines.count == 6)
        #expect(try listing(below: "kaf").isEmpty)
    }
}
