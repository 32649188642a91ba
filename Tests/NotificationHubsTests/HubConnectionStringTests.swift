import NewsflashTestSupport
import NotificationHubs
import Testing

@Suite(.timeLimit(.minutes(1)))
struct HubConnectionStringTests {
    @Test func `the three parts of the portal's connection string are parsed`() throws {
        let string = try HubConnectionString(
            "Endpoint=sb://NewsDesk.servicebus.windows.net/;SharedAccessKeyName=SendOnly;SharedAccessKey=c2VjcmV0PT0="
        )
        #expect(string.endpoint.url == "https://newsdesk.servicebus.windows.net")
        #expect(string.endpoint.authority == "newsdesk.servicebus.windows.net")
        #expect(string.keyName == "SendOnly")
        #expect(string.key == SharedAccessKey("c2VjcmV0PT0="))
        #expect(!string.usesDevelopmentEmulator)
    }

    @Test(
        arguments: [
            " SharedAccessKey = k== ; SharedAccessKeyName = Send Only ;; Endpoint = sb://h/ ;",
            "endpoint=https://h;SHAREDACCESSKEYNAME=Send Only;sharedaccesskey=k==",
            "Endpoint=sb://h/some/path;SharedAccessKeyName=Send Only;SharedAccessKey=k==;EntityPath=x;TransportType=Amqp\n",
        ])
    func `any order, white space, case of names and parts of other services are accepted`(text: String) throws {
        let string = try HubConnectionString(text)
        #expect(string.endpoint.url == "https://h")
        #expect(string.keyName == "Send Only")
        #expect(string.key.secretText == "k==")
    }

    @Test(
        arguments: [
            ("sb://h", "false", "https://h"), ("sb://h:1/", "true", "http://h:1"),
            ("http://127.0.0.1:8080/", "true", "http://127.0.0.1:8080"),
            ("http://[::1]:80", "false", "http://[::1]:80"), ("HTTPS://H", "TRUE", "https://h"),
        ])
    func `an emulator is distinguished from the service`(endpoint: String, emulator: String, url: String) throws {
        let string = try HubConnectionString(
            "Endpoint=\(endpoint);SharedAccessKeyName=n;SharedAccessKey=k;UseDevelopmentEmulator=\(emulator)"
        )
        #expect(string.endpoint.url == url)
        #expect(string.usesDevelopmentEmulator == (emulator.lowercased() == "true"))
    }

    @Test(arguments: faults)
    func `the wrong part is named, and the key is never shown`(
        text: String,
        code: HubConnectionStringError.Code,
        part: String
    ) throws {
        let error = try #require(throws: HubConnectionStringError.self) { try HubConnectionString(text) }
        #expect(error.code == code)
        #expect(error.part == part)
        #expect(error.message.contains(part))
        #expect(!error.description.contains("hush"))
    }

    @Test func `a connection string is printed without the key`() throws {
        let text = "Endpoint=http://h:1/;SharedAccessKeyName=n;SharedAccessKey=hush;UseDevelopmentEmulator=true"
        let string = try HubConnectionString(text)
        #expect(string.description == text.replacing("hush", with: "<redacted>"))
        #expect(string.textWithKey == text)
        #expect(leaks(of: Array("hush".utf8), in: string) == [])
    }
}

private let faults: [(String, HubConnectionStringError.Code, String)] = [
    ("", .missing, "Endpoint"),
    ("Endpoint=sb://h;SharedAccessKey=hush", .missing, "SharedAccessKeyName"),
    ("Endpoint=sb://h;SharedAccessKeyName=n", .missing, "SharedAccessKey"),
    ("Endpoint=sb://h;SharedAccessKeyName=n;SharedAccessKey=", .missing, "SharedAccessKey"),
    ("SharedAccessKeyName=n;SharedAccessKey=hush", .missing, "Endpoint"),
    ("Endpoint=sb://h;SharedAccessKeyName=n;SharedAccessKey=hush;SharedAccessKey=hush", .duplicate, "SharedAccessKey"),
    ("Endpoint=sb://h;hush=1;hush=2;SharedAccessKeyName=n;SharedAccessKey=a", .duplicate, "part 3"),
    ("Endpoint=sb://h;SharedAccessKeyName=n;hush", .syntax, "part 3"),
    ("Endpoint=sb://h;SharedAccessKeyName=n;SharedAccessSignature=hush", .invalid, "SharedAccessSignature"),
    (
        "Endpoint=sb://h;SharedAccessKeyName=n;SharedAccessKey=" + String(repeating: "hush", count: 65), .invalid,
        "SharedAccessKey"
    ),
    (
        "Endpoint=sb://h;SharedAccessKeyName=" + String(repeating: "n", count: 257) + ";SharedAccessKey=hush", .invalid,
        "SharedAccessKeyName"
    ),
    ("Endpoint=h;SharedAccessKeyName=n;SharedAccessKey=hush", .invalid, "Endpoint"),
    ("Endpoint=ftp://h;SharedAccessKeyName=n;SharedAccessKey=hush", .invalid, "Endpoint"),
    ("Endpoint=sb://;SharedAccessKeyName=n;SharedAccessKey=hush", .invalid, "Endpoint"),
    ("Endpoint=sb://u:hush@h;SharedAccessKeyName=n;SharedAccessKey=k", .invalid, "Endpoint"),
    ("Endpoint=sb://h:0;SharedAccessKeyName=n;SharedAccessKey=k", .invalid, "Endpoint"),
    ("Endpoint=sb://h:+1;SharedAccessKeyName=n;SharedAccessKey=k", .invalid, "Endpoint"),
    ("Endpoint=sb://h:65536;SharedAccessKeyName=n;SharedAccessKey=k", .invalid, "Endpoint"),
    ("Endpoint=sb://h x;SharedAccessKeyName=n;SharedAccessKey=k", .invalid, "Endpoint"),
    ("Endpoint=http://[::::]:80;SharedAccessKeyName=n;SharedAccessKey=k", .invalid, "Endpoint"),
    ("Endpoint=http://[1.2.3.4];SharedAccessKeyName=n;SharedAccessKey=k", .invalid, "Endpoint"),
    ("Endpoint=sb://h?x;SharedAccessKeyName=n;SharedAccessKey=k", .invalid, "Endpoint"),
    (
        "Endpoint=sb://h;SharedAccessKeyName=n;SharedAccessKey=k;UseDevelopmentEmulator=yes", .invalid,
        "UseDevelopmentEmulator"
    ),
]
