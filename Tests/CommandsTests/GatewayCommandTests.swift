import CommandLineArguments
import Gateway
import HTTPServer
import Testing

@testable import Commands

@Suite(.timeLimit(.minutes(1)))
struct GatewayCommandTests {
    private func options(_ arguments: [String]) throws -> GatewayOptions {
        let command = try Newsflash.parseAsRoot(["gateway", "--users", "users"] + arguments)
        return try #require(command as? GatewayCommand).gatewayOptions()
    }

    @Test func `health and metrics are served where it is said, and nowhere else`() throws {
        #expect(try options([]).admin == nil)
        let admin = try #require(try options(["--admin-listen", "0.0.0.0:9465"]).admin)
        #expect(admin.host == "0.0.0.0")
        #expect(admin.port == 9465)
    }

    @Test(arguments: [
        (["--listen", "8090"], "'--listen 8090' is no address"),
        (["--admin-listen", "9465"], "'--admin-listen 9465' is no address"),
        (["--tls-key", "a.pem"], "go together"),
        (["--tls-certificate", "a.pem"], "go together"),
        (["--allow-origin", "news.example.org"], "is no origin"),
    ])
    func `wrong options are refused with what to write`(arguments: [String], reason: String) throws {
        let error = try #require(throws: UsageError.self) { try options(arguments) }
        #expect(error.message.contains(reason))
    }
}
