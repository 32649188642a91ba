import NewsflashPublishing
import Testing

@Suite(.timeLimit(.minutes(1)))
struct TraceParentTests {
    @Test(arguments: [
        "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01",
        "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-00",
        "cc-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01",
        "cc-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01-0af7",
    ])
    func `a traceparent allowed by the standard is kept unchanged`(text: String) throws {
        let parent = try #require(TraceParent(Array(text.utf8)))
        #expect(parent.text == text)
        #expect(TraceParent.traceID(of: parent.text) == "4bf92f3577b34da6a3ce929d0e0e4736")
    }

    @Test(arguments: [
        "", "00", "news",
        "00-00000000000000000000000000000000-00f067aa0ba902b7-01",
        "00-4bf92f3577b34da6a3ce929d0e0e4736-0000000000000000-01",
        "ff-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01",
        "00-4BF92F3577B34DA6A3CE929D0E0E4736-00f067aa0ba902b7-01",
        "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01-0af7",
        "cc-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-010af7",
        "00-4bf92f3577b34da6a3ce929d0e0e473-a00f067aa0ba902b7-01",
        "00-4bf92f3577b34da6a3ce-29d0e0e4736-00f067aa0ba902b7-01",
        "0-04bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01",
        "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-0\"",
        "cc-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01-" + String(repeating: "0", count: 256),
    ])
    func `any other traceparent is refused`(text: String) {
        #expect(TraceParent(Array(text.utf8)) == nil)
    }
}
