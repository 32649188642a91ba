import NewsflashKafka
import Testing

@testable import NewsflashCommands
@testable import NewsflashOperations

/// The information in the messages of librdkafka about a broker that is not reached.
@Suite(.timeLimit(.minutes(1)))
struct UnreachableBrokerTests {
    private static let unanswered = KafkaError(.transport, "asking the cluster about topics: Broker transport failure")

    @Test(arguments: [
        (
            "[thrd:no.invalid:9092/bootstrap]: no.invalid:9092/bootstrap: Failed to resolve 'no.invalid:9092': Name or "
                + "service not known (after 3ms in state CONNECT)",
            CheckFact.Code.nameUnknown
        ),
        (
            "[thrd:127.0.0.1:1/bootstrap]: 127.0.0.1:1/bootstrap: Connect to ipv4#127.0.0.1:1 failed: Connection refused "
                + "(after 0ms in state CONNECT)",
            .portClosed
        ),
        ("a:9092/bootstrap: Connection setup timed out in state CONNECT (after 4001ms in state CONNECT)", .noAnswer),
        (
            "ssl://a:9092/bootstrap: SSL handshake failed: Disconnected: connecting to a PLAINTEXT broker listener? (after "
                + "2ms in state SSL_HANDSHAKE)",
            .wrongProtocol
        ),
        (
            "a:9093/bootstrap: Disconnected while requesting ApiVersion: might be caused by incorrect security.protocol "
                + "configuration (connecting to a SSL listener?) or broker version is < 0.10",
            .wrongProtocol
        ),
        (
            "ssl://a:9093/bootstrap: SSL handshake failed: error:0A000086:SSL routines::certificate verify failed: broker "
                + "certificate could not be verified, verify that ssl.ca.location is correctly configured",
            .tlsFailed
        ),
        (
            "sasl_ssl://a:9094/bootstrap: SASL authentication error: Authentication failed: Invalid username or password",
            .signInRefused
        ),
    ])
    func `the failure shows how far a connection came`(line: String, code: CheckFact.Code) {
        let reach = UnreachableBroker(Self.unanswered, complaints: [line])
        #expect(reach.code == code)
        #expect(!reach.message.contains("[thrd:"))
        #expect(!reach.message.contains("(after"))
    }

    @Test func `the attempt that came furthest counts, also if another address of the name is closed`() {
        let refused = "Connect to ipv6#[::1]:9094 failed: Connection refused"
        let password = "SASL authentication error: Authentication failed"
        #expect(UnreachableBroker(Self.unanswered, complaints: [password, refused]).code == .signInRefused)
    }

    @Test func `silence means no answer, and an unusable setting is an error of the configuration`() {
        #expect(UnreachableBroker(Self.unanswered, complaints: []).code == .noAnswer)
        let wrong = UnreachableBroker(KafkaError(.invalidArgument, "ssl.ca.location: no such file"), complaints: [])
        #expect(wrong.code == .invalid)
        #expect(wrong.kind == .configuration)
    }

    @Test func `the error of a command names the failure of the connection, not that of the request`() {
        let cluster = KafkaConfiguration(bootstrapServers: "a:9092", clientID: "tests")
        var error = Self.unanswered
        error.connectionFailure = "a:9092/bootstrap: Failed to resolve 'a:9092': Name or service not known (after 3ms)"
        let known = OperationError(.unavailable, cluster, error).description
        #expect(known.hasPrefix("Kafka at a:9092: the name cannot be resolved ("), "\(known)")
        let unknown = OperationError(.unavailable, cluster, Self.unanswered).description
        #expect(unknown.hasPrefix("Kafka at a:9092: no answer (_TRANSPORT)"), "\(unknown)")
    }
}
