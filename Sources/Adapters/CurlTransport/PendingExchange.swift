import HTTP1
import HTTPTransport

/// An exchange that has not ended.
struct PendingExchange {
    let exchange: HTTPExchange
    let receiver: any HTTPResultReceiver
    let address: AddressBook.Entry
    let framing: RequestFraming
    let startedAt: ContinuousClock.Instant
    /// Whether it was written before, on a connection that ended without a byte of an answer.
    var isRepeated = false

    /// Where it goes, for messages.
    var destination: HTTPDestination { HTTPDestination(address.address.origin) }
}

extension HTTPMethod {
    /// Whether answers have no body.
    var isHead: Bool { rawValue == "HEAD" }

    /// Whether doing it twice does the same as doing it once (RFC 9110, section 9.2.2).
    var isIdempotent: Bool {
        ["GET", "HEAD", "OPTIONS", "TRACE", "PUT", "DELETE"].contains(rawValue)
    }
}
