import HTTPTransport
import NotificationHubs
import Randomness
import Timestamps

/// The ids that the service assigns to a request.
struct RequestNames {
    let trackingID: String
    let correlationID: String
    let gateway: Int

    init(using generator: inout SeededRandom) {
        self.trackingID = TrackingID.random(using: &generator)
        self.correlationID = TrackingID.random(using: &generator)
        self.gateway = Int(generator.next() % 32)
    }

    /// Reads the ids of an existing response.
    init(_ headers: HTTPHeaders) {
        self.trackingID = headers["TrackingId"] ?? ""
        self.correlationID = headers["x-ms-correlation-request-id"] ?? ""
        self.gateway = 0
    }

    /// The headers of every response.
    var headers: HTTPHeaders {
        [
            .init("Server", "newsflash-hub-emulator"),
            .init("TrackingId", trackingID),
            .init("x-ms-correlation-request-id", correlationID),
        ]
    }
}
