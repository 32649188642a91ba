import NewsflashEvents
import NewsflashPublishing
import Testing

@Suite(.timeLimit(.minutes(1)))
struct ExpressPrefilterTests {
    @Test(arguments: [
        #"{"kind":"flash"}"#, #"{ "kind" : "kill" }"#, #"{"kind":"hold","urgency":5}"#, #"{"urgency":1}"#,
        "{\"urgency\"\n:\t1}", #""urgency":1"#, #"{"kind":"alert","urgency":1.0}"#,
    ])
    func `a record that may be express is detected`(text: String) {
        #expect(mayBeExpress(Array(text.utf8)))
    }

    @Test(arguments: [
        "", "\"", "\"f", "\"flash", "flash", "\"urgency\"", "\"urgency\":", #"{"kind":"alert"}"#, #"{"urgency":10}"#,
        #"{"urgency":12,"kind":"update"}"#, #"{"urgency":"1"}"#, #"{"headline":"flash floods"}"#, #"{"kind":"flas"#,
    ])
    func `a record that cannot be express is not detected`(text: String) {
        #expect(!mayBeExpress(Array(text.utf8)))
    }

    @Test(arguments: [#""flash""#, #""kill""#, #""hold""#, #""urgency": 1"#])
    func `a word is detected at each position, and a part of it is not`(word: String) {
        for before in 0...17 {
            for filling in ["a", "\"", "!", "é"] {
                let text = String(repeating: filling, count: before) + word
                for after in ["", ",", "        \"a\""] { #expect(mayBeExpress(Array((text + after).utf8)), "\(text)") }
                for length in 1..<word.utf8.count {
                    #expect(!mayBeExpress(Array(text.utf8.dropLast(length))), "\(text) without \(length)")
                }
            }
        }
    }

    @Test func `every encoded express event is detected`() {
        for kind in EventKind.allCases {
            for urgency in [nil, 1, 5] {
                let event = NewsEvent.sample("a", kind: kind, urgency: urgency)
                #expect(mayBeExpress(EventEncoder.encode(event)) == (event.lane == .express), "\(kind) \(urgency ?? 0)")
            }
        }
    }

    private func mayBeExpress(_ bytes: [UInt8]) -> Bool { ExpressPrefilter.mayBeExpress(bytes.span) }
}
