import HTTP1
import HTTPTransport
import Timestamps

/// An exchange that has not ended; a class, because it is passed through many types.
///
/// Belongs to the loop's thread.
final class PendingExchange {
    let exchange: HTTPExchange
    let receiver: any HTTPResultReceiver
    let address: AddressBook.Entry
    let framing: RequestFraming
    let startedAt: Instant
    /// Whether it was written before, on a connection that ended without a byte of a response.
    var isRepeated = false

    init(
        _ exchange: HTTPExchange,
        for receiver: any HTTPResultReceiver,
        to address: AddressBook.Entry,
        framing: RequestFraming,
        startedAt: Instant
    ) {
        self.exchange = exchange
        self.receiver = receiver
        self.address = address
        self.framing = framing
        self.startedAt = startedAt
    }

    /// The server, for messages.
    var destination: HTTPDestination { HTTPDestination(address.address.origin) }
}

extension HTTPMethod {
    /// Whether responses have no body.
    var isHead: Bool { rawValue == "HEAD" }

    /// Whether a repeated request has the same effect as a single one (RFC 9110, section 9.2.2).
    var isIdempotent: Bool {
        ["GET", "HEAD", "OPTIONS", "TRACE", "PUT", "DELETE"].contains(rawValue)
    }
}
