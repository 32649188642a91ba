import HTTPServer

typealias Handler = @Sendable (HTTPServerRequest) -> HTTPServerReply

/// Runs a server on a free port for as long as the body takes.
func withServer(
    _ configuration: HTTPServerConfiguration = HTTPServerConfiguration(),
    handler: @escaping Handler,
    body: (HTTPServer) async throws -> Void
) async throws {
    let server = try HTTPServer(configuration, handler: handler)
    do {
        try await body(server)
    } catch {
        await server.stop()
        throw error
    }
    await server.stop()
}
