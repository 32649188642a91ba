import Testing

@testable import NewsflashGateway

/// The OpenAPI document and the routes. ``GatewayRig`` checks each answer of all tests against the document.
@Suite(.timeLimit(.minutes(1)))
struct GatewayDescriptionTests {
    @Test func `each address of the document has exactly the methods of the gateway`() throws {
        let description = try #require(GatewayDescription.shipped)
        let addresses = description.addresses.filter { $0.segments.first == "api" }
        #expect(addresses.count == 7)
        for address in addresses {
            let path = "/" + address.segments.map { $0.hasPrefix("{") ? "1-2-3" : $0 }.joined(separator: "/")
            let methods = GatewayRoutes.methods(of: try GatewayTarget(path: path, query: nil))
            #expect(methods?.sorted() == address.statuses.keys.sorted(), "\(path)")
        }
    }

    @Test func `an answer that is missing in the document is found`() throws {
        let description = try #require(GatewayDescription.shipped)
        #expect(description.has(200, for: "PUT", "/api/register/1-2-3"))
        #expect(!description.has(204, for: "PUT", "/api/register/1-2-3"))
        #expect(description.has(504, for: "POST", "/api/notifications?pns=apns&to_tag=anna"))
        #expect(!description.has(504, for: "GET", "/api/notifications/a"))
        #expect(!description.has(200, for: "GET", "/api/users"))
    }
}
