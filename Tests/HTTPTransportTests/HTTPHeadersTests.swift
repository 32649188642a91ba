import HTTPTransport
import Testing

@Suite(.timeLimit(.minutes(1)))
struct HTTPHeadersTests {
    @Test(arguments: ["Retry-After", "retry-after", "RETRY-AFTER"])
    func `finds the first field of a name without case`(name: String) {
        let headers: HTTPHeaders = [.init("X", "0"), .init("Retry-after", "1"), .init("retry-After", "2")]

        #expect(headers[name] == "1")
    }

    @Test(arguments: ["", "Retry", "Retry-After2", "Retry_After", "Retry\u{d}After"])
    func `finds nothing of another name`(name: String) {
        let headers: HTTPHeaders = [.init("Retry-After", "1")]

        #expect(headers[name] == nil)
    }

    @Test func `folds only letters of ASCII`() {
        #expect("[x]".isEqualIgnoringASCIICase(to: "[X]"))
        #expect(!"[".isEqualIgnoringASCIICase(to: "{"))
        #expect(!"ä".isEqualIgnoringASCIICase(to: "Ä"))
    }

    @Test func `keeps order and repeated fields`() {
        var headers: HTTPHeaders = [.init("B", "1")]
        headers.append("A", "2")
        headers.append("b", "3")

        #expect(Array(headers).map(\.value) == ["1", "2", "3"])
    }
}
