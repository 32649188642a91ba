import Testing

@testable import NewsflashRouting

@Suite(.timeLimit(.minutes(1)))
struct CategoryCodeTests {
    @Test(arguments: [
        ("medtop:20000756", CategoryCode.topic(20_000_756)), ("MedTop:00000000", .topic(0)),
        ("SUBJ:15054000", .subject(15_054_000)), ("subj:99999999", .subject(99_999_999)),
        ("medtop:2000075", .word("medtop:2000075")), ("medtop:200007560", .word("medtop:200007560")),
        ("medtop:2000075a", .word("medtop:2000075a")), ("medtop:/0000756", .word("medtop:/0000756")),
        ("medtop::0000756", .word("medtop::0000756")), ("Xmedtop:2000075", .word("xmedtop:2000075")),
        ("subj:2000075é", .word("subj:2000075é")), ("subj;15054000", .word("subj;15054000")),
        ("subj\u{1A}15054000", .word("subj\u{1A}15054000")), ("", .word("")), ("Edition:UK", .word("edition:uk")),
        ("GRÖSSE@[`{", .word("grÖsse@[`{")),
    ])
    func `topics, subjects and words are distinguished`(text: String, code: CategoryCode) {
        #expect(CategoryCode(text) == code)
    }
}
