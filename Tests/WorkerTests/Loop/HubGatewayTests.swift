import StructuredLog
import TestSupport
import Testing

@testable import Worker

/// The way to a hub, whose secret can change while the worker runs.
@Suite(.timeLimit(.minutes(1)))
struct HubGatewayTests {
    @Test(arguments: [
        ("Endpoint=sb://a.example/;SharedAccessKeyName=c;SharedAccessKey=bmV3", "has changed and is in use"),
        ("Endpoint=sb://A.example:443/;SharedAccessKeyName=c;SharedAccessKey=bmV3", "has changed and is in use"),
        ("Endpoint=sb://b.example/;SharedAccessKeyName=c;SharedAccessKey=a2V5", "cannot be used"),
        ("Endpoint=sb://a.example:444/;SharedAccessKeyName=c;SharedAccessKey=a2V5", "cannot be used"),
    ])
    func `another key is used at once, another endpoint is not`(connection: String, message: String) throws {
        let file = try KeyFile("Endpoint=sb://a.example/;SharedAccessKeyName=c;SharedAccessKey=a2V5")
        let log = EventLog<LogEntry>()
        var settings = try SoundConfiguration.read().hub
        settings.credentials = .file(file.path)
        let gateway = try HubGateway(settings, logger: Logger(label: "", handler: Recorder(log: log)))
        #expect(gateway.address == "a.example/regional")
        try file.write(connection)
        gateway.reload()
        let entries = log.events
        #expect(entries.count == 1)
        #expect(entries.first?.message.contains(message) == true, "\(entries)")
    }
}

/// Keeps what is logged.
private struct Recorder: LogHandler {
    let log: EventLog<LogEntry>

    func log(_ entry: LogEntry) { log.append(entry) }
}
