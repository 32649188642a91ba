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
        code: HubValueError.Code,
        part: String
    ) throws {
        let error = try #require(throws: HubValueError.self) { try HubConnectionString(text) }
        #expect(error.code == code)
        #expect(error.path == part)
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

private let faults: [(String, HubValueError.Code, String)] = [
    ("", .connectionStringMissingPart, "Endpoint"),
    ("Endpoint=sb://h;SharedAccessKey=hush", .connectionStringMissingPart, "SharedAccessKeyName"),
    ("Endpoint=sb://h;SharedAccessKeyName=n", .connectionStringMissingPart, "SharedAccessKey"),
    ("Endpoint=sb://h;SharedAccessKeyName=n;SharedAccessKey=", .connectionStringMissingPart, "SharedAccessKey"),
    ("SharedAccessKeyName=n;SharedAccessKey=hush", .connectionStringMissingPart, "Endpoint"),
    (
        "Endpoint=sb://h;SharedAccessKeyName=n;SharedAccessKey=hush;SharedAccessKey=hush",
        .connectionStringDuplicatePart, "SharedAccessKey"
    ),
    ("Endpoint=sb://h;hush=1;hush=2;SharedAccessKeyName=n;SharedAccessKey=a", .connectionStringDuplicatePart, "part 3"),
    ("Endpoint=sb://h;SharedAccessKeyName=n;hush", .connectionStringSyntax, "part 3"),
    (
        "Endpoint=sb://h;SharedAccessKeyName=n;SharedAccessSignature=hush", .connectionStringInvalidPart,
        "SharedAccessSignature"
    ),
    (
        "Endpoint=sb://h;SharedAccessKeyName=n;SharedAccessKey=" + String(repeating: "hush", count: 65),
        .connectionStringInvalidPart,
        "SharedAccessKey"
    ),
    (
        "Endpoint=sb://h;SharedAccessKeyName=" + String(repeating: "n", count: 257) + ";SharedAccessKey=hush",
        .connectionStringInvalidPart,
        "SharedAccessKeyName"
    ),
    ("Endpoint=h;SharedAccessKeyName=n;SharedAccessKey=hush", .connectionStringInvalidPart, "Endpoint"),
    ("Endpoint=ftp://h;SharedAccessKeyName=n;SharedAccessKey=hush", .connectionStringInvalidPart, "Endpoint"),
    ("Endpoint=sb://;SharedAccessKeyName=n;SharedAccessKey=hush", .connectionStringInvalidPart, "Endpoint"),
    ("Endpoint=sb://u:hush@h;SharedAccessKeyName=n;SharedAccessKey=k", .connectionStringInvalidPart, "Endpoint"),
    ("Endpoint=sb://h:0;SharedAccessKeyName=n;SharedAccessKey=k", .connectionStringInvalidPart, "Endpoint"),
    ("Endpoint=sb://h:+1;SharedAccessKeyName=n;SharedAccessKey=k", .connectionStringInvalidPart, "Endpoint"),
    ("Endpoint=sb://h:65536;SharedAccessKeyName=n;SharedAccessKey=k", .connectionStringInvalidPart, "Endpoint"),
    ("Endpoint=sb://h x;SharedAccessKeyName=n;SharedAccessKey=k", .connectionStringInvalidPart, "Endpoint"),
    ("Endpoint=http://[::::]:80;SharedAccessKeyName=n;SharedAccessKey=k", .connectionStringInvalidPart, "Endpoint"),
    ("Endpoint=http://[1.2.3.4];SharedAccessKeyName=n;SharedAccessKey=k", .connectionStringInvalidPart, "Endpoint"),
    ("Endpoint=sb://h?x;SharedAccessKeyName=n;SharedAccessKey=k", .connectionStringInvalidPart, "Endpoint"),
    (
        "Endpoint=sb://h;SharedAccessKeyName=n;SharedAccessKey=k;UseDevelopmentEmulator=yes",
        .connectionStringInvalidPart,
        "UseDevelopmentEmulator"
    ),
]
