import NewsflashHTTPServer
import Testing

@Suite("A server's certificate", .timeLimit(.minutes(1)))
struct HTTPServerTLSTests {
    @Test func `a file without a certificate is reported, and the port is free again`() throws {
        var configuration = HTTPServerConfiguration()
        configuration.tls = HTTPServerTLS(certificate: Array("no PEM".utf8), key: Array("a secret".utf8))
        let error = try #require(throws: HTTPServerError.self) { try HTTPServer(configuration) { _ in .abort } }
        #expect(error.code == .certificate)
        #expect(error.message.contains("give both in PEM"))
        #expect(!error.message.contains("a secret"))
        #expect(!"\(configuration)".contains("\(Array("a secret".utf8))"))
        let place = error.message.split(separator: " ").first { $0.hasPrefix("127.0.0.1:") }
        configuration.port = try #require(place.flatMap { UInt16($0.dropFirst("127.0.0.1:".count).dropLast()) })
        configuration.tls = nil
        #expect(try HTTPServer(configuration) { _ in .abort }.port == configuration.port)
    }
}
