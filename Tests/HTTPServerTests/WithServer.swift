import NewsflashHTTPServer

typealias Handler = @Sendable (HTTPServerRequest) -> HTTPServerReply

/// Runs a server on a free port until the body ends.
func withServer(
    _ configuration: HTTPServerConfiguration = HTTPServerConfiguration(),
    maximumBodyBytes: Int = 1 << 20,
    handler: @escaping Handler,
    body: (HTTPServer) async throws -> Void
) async throws {
    let server = try HTTPServer(configuration, maximumBodyBytes: maximumBodyBytes, handler: handler)
    try await run(server, body)
}

/// Runs a server that decides by the head, on a free port until the body ends.
func withServer(
    _ configuration: HTTPServerConfiguration = HTTPServerConfiguration(),
    decide: @escaping @Sendable (HTTPServerRequest) -> HTTPServerDecision,
    refuse: @escaping @Sendable (HTTPServerRequest, HTTPServerRefusal) -> HTTPServerResponse = { $1.response },
    body: (HTTPServer) async throws -> Void
) async throws {
    let server = try HTTPServer(configuration, decide: decide, refuse: refuse)
    try await run(server, body)
}

private func run(_ server: HTTPServer, _ body: (HTTPServer) async throws -> Void) async throws {
    do {
        try await body(server)
    } catch {
        await server.stop()
        throw error
    }
    await server.stop()
}
