import Testing
import Timestamps

@testable import Kafka

@Suite(.timeLimit(.minutes(1)))
struct BearerTokenTests {
    private let now = Timestamp(seconds: 1_000_000)

    @Test
    func `a JWT says itself when it ends and for whom it speaks`() {
        // {"alg":"none"}.{"sub":"desk?>","exp":2000000000}.x, in the alphabet of URLs.
        let token = BearerToken(" eyJhbGciOiJub25lIn0.eyJzdWIiOiJkZXNrPz4iLCJleHAiOjIwMDAwMDAwMDB9.x\n", now: now)
        #expect(token.text == "eyJhbGciOiJub25lIn0.eyJzdWIiOiJkZXNrPz4iLCJleHAiOjIwMDAwMDAwMDB9.x")
        #expect(token.end == Timestamp(seconds: 2_000_000_000))
        #expect(token.principal == "desk?>")
    }

    @Test(arguments: ["opaque", "a.b.c", "a..c", "e30.e30.x", "eyJhbGciOiJub25lIn0.eyJleHAiOjFlOTl9.x"])
    func `any other token counts for an hour`(text: String) {
        let token = BearerToken(text, now: now)
        #expect(token.end == now + .seconds(3600))
        #expect(token.principal == "unknown")
    }
}
