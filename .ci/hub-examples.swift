// The names that the examples of NotificationHubs use: those of a program, and of packages that are not available here.
// `.ci/check-docs` compiles each example with this file, as a separate function.

import NewsflashCurlTransport
import NewsflashHTTPTransport
import NewsflashTimestamps
import NotificationHubs

var connectionString: String { "" }
var newConnectionString: String { "" }
var containerURL: String { "" }
var token: String { "" }
var key: String { "" }
var email: String { "" }
var transport: any HTTPTransport { AsyncHTTPTransport { _ in HTTPResponse(status: 201) } }
// Nothing is run.
var hub: NotificationHubClient { fatalError() }
// Names of an earlier example of the same page.
var message: HubMessage { fatalError() }
var phone: RegistrationDescription { fatalError() }
var registration: Registration { fatalError() }
var id: String { "" }

// swift-log's.
struct Logger: Sendable {
    enum Level { case debug, warning, error }
    init(label: String) {}
    func log(level: Level, _ message: String, metadata: [String: String]) {}
}

// swift-metrics'.
struct Counter {
    init(label: String, dimensions: [(String, String)]) {}
    func increment() {}
}
struct Timer {
    init(label: String, dimensions: [(String, String)]) {}
    func recordNanoseconds(_ duration: Int64) {}
}

// AsyncHTTPClient's.
struct HTTPClientRequest {
    struct Method { init(rawValue: String) {} }
    struct Headers { func add(name: String, value: String) {} }
    enum Body { case bytes([UInt8]) }
    var method = Method(rawValue: "GET")
    var headers = Headers()
    var body: Body?
    init(url: String) {}
}
struct HTTPClientResponse {
    struct Status { var code: UInt = 200 }
    struct Field { var name = "", value = "" }
    struct Buffer { var readableBytesView: [UInt8] = [] }
    struct Body { func collect(upTo limit: Int) async throws -> Buffer { Buffer() } }
    var status = Status()
    var headers: [Field] = []
    var body = Body()
}
struct HTTPClient: Sendable {
    static let shared = HTTPClient()
    func execute(_ request: HTTPClientRequest, timeout: Duration) async throws -> HTTPClientResponse {
        HTTPClientResponse()
    }
}
