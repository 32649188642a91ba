import NewsflashStrictJSON
import NewsflashTestSupport
import Testing

@testable import NewsflashRouting

/// Every Media Topic with the rules of six categories.
@Suite(.needsMediaTopics, .timeLimit(.minutes(1)))
struct SixCategoriesTests {
    private struct Concept {
        var parent: String?
        var isRetired: Bool
        var subject: String?
    }

    /// The category of each code, and the tree, both from the data.
    private let categories: [String: String]
    private let tree: [String: Concept]
    private let map: CategoryMap

    init() throws {
        var categories: [String: String] = [:]
        for line in try SharedData.lines(of: "data/mediatopics/medtop-to-six.csv").dropFirst() {
            // A label may contain commas, the columns before and after it do not.
            let columns = String(decoding: line, as: UTF8.self).split(separator: ",")
            categories[String(columns[0])] = columns.last.map { String($0.filter { !$0.isWhitespace }) }
        }
        let data = try JSONReader.read(SharedData.bytes(of: "data/mediatopics/mediatopics-2023-10-24.json"))
        var tree: [String: Concept] = [:]
        for concept in data[member: "concepts"]?.array ?? [] {
            tree[concept[member: "code"]?.string ?? ""] = Concept(
                parent: concept[member: "parent"]?.string,
                isRetired: concept[member: "retired"]?.string != nil,
                subject: concept[member: "subjectcode"]?.string
            )
        }
        self.categories = categories
        self.tree = tree
        let names = Set(categories.values).sorted()
        map = try CategoryMap(
            rules: names.map { name in
                CategoryRule(
                    name: name,
                    codes: categories.filter { $0.value == name }.keys.sorted().map { "medtop:\($0)" }
                )
            }
        )
    }

    /// Returns the category of the nearest ancestor with one, or of the code itself.
    private func expected(_ code: String) -> String? {
        var next: String? = code
        while let code = next {
            if let category = categories[code] { return category }
            next = tree[code]?.parent
        }
        return nil
    }

    @Test func `each of the 1,372 topics has the category of its deepest mapped ancestor, or is unknown`()
        throws
    {
        #expect(tree.count == 1_372)
        #expect(Set(categories.values).count == 6)
        var unmapped = 0
        for (code, concept) in tree {
            let outcome = map.route(["medtop:\(code)"])
            if let category = expected(code) {
                #expect(outcome == .routed(outcome.route), "\(code)")
                #expect(outcome.route.categories == [category], "\(code)")
                #expect(outcome.route.unknown.isEmpty, "\(code)")
            } else {
                unmapped += 1
                #expect(outcome == .unmapped(outcome.route), "\(code)")
                #expect(outcome.route.unknown == ["medtop:\(code)"])
            }
            #expect(outcome.route.retired == (concept.isRetired ? ["medtop:\(code)"] : []), "\(code)")
        }
        // Arts, education, human interest, lifestyle and religion are in none of the six.
        #expect(unmapped == tree.keys.count { expected($0) == nil })
        #expect((1..<tree.count / 2).contains(unmapped))
    }

    @Test func `each old subject code has the category of its topic, with a warning`() throws {
        let topics = Dictionary(grouping: tree.filter { $0.value.subject != nil }) { $0.value.subject ?? "" }
        #expect(topics.count > 800)
        for (subject, concepts) in topics {
            let outcome = map.route(["subj:\(subject)"])
            let wanted = concepts.compactMap { expected($0.key) }
            if let category = outcome.route.categories.first {
                let isOfTopic = wanted.contains(category)
                // A subject without its own category has those of its higher levels.
                #expect(isOfTopic || wanted.isEmpty, "\(subject)")
                #expect(outcome.route.retired == ["subj:\(subject)"], "\(subject)")
            } else {
                #expect(wanted.isEmpty, "\(subject)")
                #expect(outcome.route.unknown == ["subj:\(subject)"])
            }
        }
    }
}
