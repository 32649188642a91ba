import HTTPTransport
import NotificationHubs
import Timestamps

/// The names that the service gives a request.
struct RequestNames {
    let trackingID: String
    let correlationID: String
    let gateway: Int

    init(using generator: inout SeededGenerator) {
        self.trackingID = TrackingID.random(using: &generator)
        self.correlationID = TrackingID.random(using: &generator)
        self.gateway = Int(generator.next() % 32)
    }

    /// The names that an answer has already.
    init(_ headers: HTTPHeaders) {
        self.trackingID = headers["TrackingId"] ?? ""
        self.correlationID = headers["x-ms-correlation-request-id"] ?? ""
        self.gateway = 0
    }

    /// The headers of every answer.
    var headers: HTTPHeaders {
        [
            .init("Server", "newsflash-hub-emulator"),
            .init("TrackingId", trackingID),
            .init("x-ms-correlation-request-id", correlationID),
        ]
    }
}

/// Random numbers that a seed repeats (SplitMix64 by Sebastiano Vigna, public domain). Not for keys.
struct SeededGenerator: RandomNumberGenerator {
    private var state: UInt64

    init(seed: UInt64) {
        self.state = seed
    }

    mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var mixed = state
        mixed = (mixed ^ mixed >> 30) &* 0xBF58_476D_1CE4_E5B9
        mixed = (mixed ^ mixed >> 27) &* 0x94D0_49BB_1331_11EB
        return mixed ^ mixed >> 31
    }
}
