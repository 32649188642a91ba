import NewsflashHTTPTransport
import Testing

@Suite(.timeLimit(.minutes(1)))
struct HTTPExchangeTests {
    private let request = HTTPRequest(method: .get, url: "http://example.invalid/")

    @Test(arguments: [-3_600_000_000_000, -1, 0, 1, 30_000_000_000] as [Int64])
    func `a deadline is kept to the nanosecond`(nanoseconds: Int64) {
        let end = ContinuousClock.now + .nanoseconds(nanoseconds)
        var exchange = HTTPExchange(id: 1, request: request)
        #expect(exchange.notAfter == nil)

        exchange.notAfter = end
        #expect(exchange.notAfter == end)
        #expect(HTTPExchange(id: 1, request: request, notAfter: end).notAfter == end)

        exchange.notAfter = nil
        #expect(exchange.notAfter == nil)
    }
}
