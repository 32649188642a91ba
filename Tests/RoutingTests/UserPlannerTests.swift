import NewsflashEvents
import NotificationHubs
import Testing

@testable import NewsflashRouting

/// Users by name, and the tags that reach them.
@Suite(.timeLimit(.minutes(1)))
struct UserPlannerTests {
    private func planner(_ pattern: String = "username:{user}", maximumTags: Int = 20) throws -> UserPlanner {
        UserPlanner(pattern: try UserPattern(pattern), maximumTags: maximumTags)
    }

    @Test(arguments: [
        ("username:{user}", "username:anna"), ("{user}", "anna"), ("reader.{user}.all", "reader.anna.all"),
        ("$UserId:{user}", "$UserId:{anna}"), ("$userid:{user}", "$userid:{anna}"),
    ])
    func `a name becomes a tag`(_ pattern: String, _ tag: String) throws {
        #expect(try UserPattern(pattern).tag("anna").description == tag)
    }

    @Test(arguments: [
        "username:", "{user}{user}", "user name:{user}", "{name}", "$UserId:{{user}}", "$Other:{user}", "",
    ])
    func `a pattern that makes no tags is refused`(_ pattern: String) {
        let error = #expect(throws: ValidationProblem.self) { try UserPattern(pattern) }
        #expect(error?.path == "send.users")
    }

    @Test func `a pattern leaves room for the longest name`() throws {
        _ = try UserPattern(String(repeating: "x", count: 56) + "{user}")
        #expect(throws: ValidationProblem.self) { try UserPattern(String(repeating: "x", count: 57) + "{user}") }
    }

    @Test func `a thousand users make fifty requests, and each user is in one`() throws {
        let users = (0..<1000).map { "user-\($0)" }
        let plan = try planner().plan(users: users)
        #expect(plan.count == 50)
        #expect(plan.allSatisfy { $0.isForUsers && $0.categories.isEmpty && $0.locale == nil })
        let tags = plan.flatMap(\.expression.tags).map(\.description)
        #expect(tags.count == 1000)
        #expect(Set(tags) == Set(users.map { "username:" + $0 }))
    }

    @Test func `neither the order of users nor a duplicate changes the plan`() throws {
        let planner = try planner(maximumTags: 2)
        let plan = try planner.plan(users: ["c", "a", "b"])
        #expect(plan.map(\.expression.description) == ["username:a || username:b", "username:c"])
        #expect(try planner.plan(users: ["b", "c", "a", "b"]) == plan)
        #expect(try planner.plan(tags: plan.flatMap(\.expression.tags).reversed()) == plan)
        #expect(try planner.plan(users: []).isEmpty)
    }

    @Test func `a name with a meaning in a tag expression makes no tag`() throws {
        let planner = try planner()
        for name in ["a || b", "!a", "(a)", "é", ""] where !name.isEmpty {
            let error = #expect(throws: ValidationProblem.self) { try planner.plan(users: ["anna", name]) }
            #expect(error?.path == "/audience/users/1")
        }
    }
}
