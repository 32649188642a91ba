import Dispatch
import Glibc
import NewsflashKafkaTestCluster
import NewsflashTestSupport
import NewsflashTimestamps
import Testing

@testable import NewsflashKafka

@Suite(.timeLimit(.minutes(1)))
struct OAuthTokenTests {
    private let now = Timestamp(seconds: 1_000_000)

    @Test
    func `the end and the principal of a JWT are read from it`() {
        // {"alg":"none"}.{"sub":"desk?>","exp":2000000000}.x, in the alphabet of URLs.
        let token = OAuthToken(" eyJhbGciOiJub25lIn0.eyJzdWIiOiJkZXNrPz4iLCJleHAiOjIwMDAwMDAwMDB9.x\n", now: now)
        #expect(token.text == "eyJhbGciOiJub25lIn0.eyJzdWIiOiJkZXNrPz4iLCJleHAiOjIwMDAwMDAwMDB9.x")
        #expect(token.end == Timestamp(seconds: 2_000_000_000))
        #expect(token.principal == "desk?>")
    }

    @Test(arguments: ["opaque", "a.b.c", "a..c", "e30.e30.x", "eyJhbGciOiJub25lIn0.eyJleHAiOjFlOTl9.x"])
    func `any other token is valid for an hour`(text: String) {
        let token = OAuthToken(text, now: now)
        #expect(token.end == now + .seconds(3600))
        #expect(token.principal == "unknown")
    }

    @Test
    func `the broker receives the extensions with the token`() async throws {
        let broker = try SignInRecorder()
        let sasl = KafkaSASL.oauthBearer(
            token: KafkaSecret("opaque"),
            extensions: ["logicalCluster": "lkc-1", "identityPoolId": "pool 1"]
        )
        let configuration = KafkaConfiguration(
            bootstrapServers: "127.0.0.1:\(broker.port)",
            clientID: "tests",
            security: .sasl(sasl, tls: nil)
        )
        let recorder = ProducerRecorder()
        let producer = try KafkaProducer(KafkaProducerConfiguration(client: configuration), delegate: recorder)
        let words = try await broker.frames.wait { $0.first }.split(separator: "\u{1}").map(String.init)
        #expect(words == ["n,,", "auth=Bearer opaque", "identityPoolId=pool 1", "logicalCluster=lkc-1"])
        await producer.close(deadline: .milliseconds(100))
    }

    @Test(arguments: [("auth", "x"), ("logical-cluster", "x"), ("", "x"), ("a", ""), ("a", "b\u{1}c"), ("a", "é")])
    func `an invalid extension is refused by name`(name: String, value: String) {
        let sasl = KafkaSASL.oauthBearer(token: KafkaSecret("opaque"), extensions: [name: value])
        let error = #expect(throws: KafkaError.self) { try KafkaSecurity.sasl(sasl, tls: nil).properties() }
        #expect(error?.message.hasPrefix("the extension \"\(name)\" of OAUTHBEARER ") == true)
    }
}

/// A broker that accepts the mechanism and keeps the data with which clients sign in.
private final class SignInRecorder: Sendable {
    let port: UInt16
    let frames = EventLog<String>()

    init() throws {
        let listener = try LoopbackListener()
        port = listener.port
        DispatchQueue.global().async { [frames] in
            defer { listener.close() }
            guard let connection = listener.acceptConnection() else { return }
            defer { close(connection) }
            // First the supported requests, then the mechanism. A request has its key, its version and its number.
            let versions: [UInt8] = [0, 0, 3, 0, 17, 0, 0, 0, 0, 0, 0, 18, 0, 0, 0, 3, 0, 0, 0, 0, 0, 0]
            for answer in [versions, [0, 0, 0, 0, 0, 1, 0, 11] + "OAUTHBEARER".utf8] {
                guard let request = Self.frame(from: connection), request.count >= 8 else { return }
                let bytes = [0, 0, 0, UInt8(answer.count + 4)] + request[4..<8] + answer
                guard write(connection, bytes, bytes.count) == bytes.count else { return }
            }
            guard let frame = Self.frame(from: connection) else { return }
            frames.append(String(decoding: frame, as: UTF8.self))
        }
    }

    private static func frame(from connection: Int32) -> [UInt8]? {
        bytes(4, from: connection).flatMap { length in
            bytes(length.reduce(0) { $0 << 8 | Int($1) }, from: connection)
        }
    }

    private static func bytes(_ count: Int, from connection: Int32) -> [UInt8]? {
        var bytes = [UInt8](repeating: 0, count: count)
        return recv(connection, &bytes, count, Int32(MSG_WAITALL)) == count ? bytes : nil
    }
}
