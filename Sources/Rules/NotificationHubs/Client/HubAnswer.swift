import HTTPTransport

/// The final result of a call that the hub accepted.
struct HubAnswer {
    /// The response; its status is 2xx, or 404 for a deletion that an earlier attempt may have carried out.
    var response: HTTPResponse
    /// The decoded response.
    var reply: HubReply
    /// The number of requests sent.
    var attempts: Int
}
