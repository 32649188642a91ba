import Glibc
import NewsflashObservability
import NewsflashTestSupport
import Testing

@testable import NewsflashWorker

/// The gateway to a hub, whose secret can change while the worker runs.
@Suite(.timeLimit(.minutes(1)))
struct HubSenderTests {
    private static let old = "Endpoint=sb://a.example/;SharedAccessKeyName=c;SharedAccessKey=a2V5"
    private static let new = "Endpoint=sb://a.example/;SharedAccessKeyName=c;SharedAccessKey=bmV3"

    private let log = EventLog<LogEntry>()

    private func gateway(_ file: String) throws -> HubSender {
        var settings = try SoundConfiguration.read().hub
        settings.credentials = .file(file)
        return try HubSender(settings, logger: Logger(label: "", handler: log))
    }

    @Test(arguments: [
        (new, "has changed and is in use"),
        ("Endpoint=sb://A.example:443/;SharedAccessKeyName=c;SharedAccessKey=bmV3", "has changed and is in use"),
        ("Endpoint=sb://b.example/;SharedAccessKeyName=c;SharedAccessKey=a2V5", "cannot be used"),
        ("Endpoint=sb://a.example:444/;SharedAccessKeyName=c;SharedAccessKey=a2V5", "cannot be used"),
    ])
    func `a changed key is used at once, a changed endpoint is not`(connection: String, message: String) async throws {
        let file = try KeyFile(Self.old)
        let gateway = try gateway(file.path)
        #expect(gateway.address == "a.example/regional")
        try file.write(connection)
        gateway.reload()
        let entry = try await log.wait { $0.first }
        #expect(entry.message.contains(message), "\(entry)")
    }

    @Test
    func `a file that cannot be read in time blocks neither the caller nor another hub`() async throws {
        let folder = try TemporaryFolder()
        let (hung, sound) = (folder.file("hung"), folder.file("sound"))
        for name in ["hung", "sound"] { try folder.write(Self.old, to: name) }
        let gateways = (try gateway(hung), try gateway(sound))
        unlink(hung)
        // Nobody writes to it, so opening it does not return.
        try #require(mkfifo(hung, 0o600) == 0)
        try folder.write(Self.new, to: "sound")
        gateways.0.reload()
        gateways.0.reload()
        gateways.1.reload()
        try await log.wait { $0.contains { $0.message.contains("has changed and is in use") } ? () : nil }
        #expect(log.events.count == 1)
        // Now the file can be read, and its key is used.
        let descriptor = open(hung, O_WRONLY)
        #expect(write(descriptor, Self.new, Self.new.utf8.count) == Self.new.utf8.count)
        close(descriptor)
        try await log.wait { $0.count == 2 ? () : nil }
    }
}
