import HTTPTransport

/// What a call came to in the end.
struct HubAnswer {
    /// Of a status that says yes.
    var response: HTTPResponse
    /// What it means.
    var reply: HubReply
    /// How many requests it took.
    var attempts: Int
}
