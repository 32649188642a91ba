import NewsflashStrictJSON
import NewsflashTestSupport
import Testing

@testable import NewsflashRouting

@Suite(.timeLimit(.minutes(1)))
struct MediaTopicsTests {
    @Test(.needsMediaTopics)
    func `the shipped tree is the one of the release`() throws {
        let path = "data/mediatopics/mediatopics-2023-10-24.json"
        let concepts = try #require(JSONReader.read(SharedData.bytes(of: path))[member: "concepts"]?.array)
        let topics = MediaTopics.shipped
        #expect(topics.count == concepts.count)
        for concept in concepts {
            let code = try number(concept, "code")
            #expect(topics.contains(try #require(code)))
            let (parent, retired) = (topics.parent(of: code ?? 0), topics.isRetired(code ?? 0))
            #expect(try parent == number(concept, "parent"), "\(code ?? 0)")
            #expect(retired == (concept[member: "retired"]?.string != nil), "\(code ?? 0)")
            if let subject = try number(concept, "subjectcode") {
                let topic = topics.topic(forSubject: subject)
                #expect(topic == code || (retired && topic != nil), "\(subject)")
            }
        }
    }

    @Test(arguments: [
        ("world", "world"), ("Edition:UK", "edition:uk"),
        ("medtop:20001298", "medtop:20001298 20000763 20000756 13000000"),
        ("MEDTOP:01000000", "medtop:01000000"), ("medtop:99999999", "medtop:99999999"), ("medtop:2000", "medtop:2000"),
        ("subj:15054000", "subj:15054000 medtop:20001065 20000822 15000000 subj:15000000 medtop:15000000"),
    ])
    func `a code leads up to its root`(_ code: String, _ expected: String) {
        var way: [String] = []
        CategoryCode(code).forEachOnTheWayUp { way.append($0.description) }
        var scheme = ""
        let steps = expected.split(separator: " ").map { step in
            let sides = step.split(separator: ":", maxSplits: 1)
            if sides.count == 2 { scheme = sides[0] + ":" }
            return sides.count == 2 ? String(step) : scheme + step
        }
        #expect(way == steps)
    }

    private func number(_ concept: JSONValue, _ member: String) throws -> UInt32? {
        concept[member: member]?.string.flatMap { UInt32($0) }
    }
}
