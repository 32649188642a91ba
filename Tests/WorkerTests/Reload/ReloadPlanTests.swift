import Testing

@testable import NewsflashWorker

/// The keys of a configuration that can change while a worker runs.
@Suite(.timeLimit(.minutes(1)))
struct ReloadPlanTests {
    private func values(_ lines: String, environment: [String: String] = [:]) throws -> [ConfigurationValue] {
        let text = SoundConfiguration.text + lines
        return try ConfigurationReader(environment: environment).read(text: text, source: "test.yaml").values
    }

    private func plan(from before: String = "", to after: String) throws -> String {
        switch ReloadPlan(from: try values(before), to: try values(after)) {
        case .unchanged: "unchanged"
        case .needsRestart(let changes): "restart: " + changes.map(\.place).joined(separator: ", ")
        case .rules(let changes): "rules: " + changes.map(\.place).joined(separator: ", ")
        case .settings(let changes): "settings: " + changes.map(\.place).joined(separator: ", ")
        }
    }

    @Test func `layout, comments and equivalent values change nothing`() throws {
        let other = "# x\n\npolicy: { life: { flash: 1h } }"
        #expect(try plan(from: "policy: { life: { flash: 60m } }", to: other) == "unchanged")
    }

    @Test(arguments: [
        ("text: { kill: \"Gone: {headline}\" }", "text.kill (line 5)"),
        ("policy: { caps: { World: 2 per day } }", "policy.caps.World (line 5)"),
        ("send: { tags: \"n.{category}\" }", "send.tags (line 5)"), ("unknown: World", "unknown (line 5)"),
        ("interruption: { 3: passive }", "interruption.3 (line 5)"),
        ("limits: { headline: 90 }", "limits.headline (line 5)"),
    ])
    func `a rule can change`(line: String, place: String) throws {
        #expect(try plan(to: line) == "rules: \(place)")
    }

    @Test(arguments: [
        ("log: { level: debug }", "log.level (line 5)"), ("reload: { canary: 7 }", "reload.canary (line 5)"),
        ("gateway: { connections: 9 }", "gateway.connections (line 5)"),
    ])
    func `a key that affects no decision can change without a trial`(line: String, place: String) throws {
        #expect(try plan(to: line) == "settings: \(place)")
    }

    @Test(arguments: [
        ("delivery: { drain: 7s }", "delivery.drain (line 5)"), ("log: { format: json }", "log.format (line 5)"),
        ("sources: { desk: { id: wire } }", "sources.desk.id (line 5)"),
        ("ledger: { retention: 60d }", "ledger.retention (line 5)"),
        ("admin: { listen: \"127.0.0.1:1\" }", "admin.listen (line 5)"),
        ("topics: { outcomes: o }\ntext: { kill: \"Gone\" }", "topics.outcomes (line 5)"),
    ])
    func `a key that needs a restart is named, and no other change is adopted`(lines: String, place: String) throws {
        #expect(try plan(to: lines) == "restart: \(place)")
    }

    @Test func `a hub's tags can be reloaded, and its name cannot`() throws {
        func hubs(_ text: String) throws -> [ConfigurationValue] {
            let rest = "version: 1\nlocales: { offered: [en] }\ncategories: { World: [world] }\n"
            return try ConfigurationReader(environment: [:]).read(text: rest + text, source: "test.yaml").values
        }
        let before = try hubs("hubs: { main: { name: a } }")
        let tagged = try hubs("hubs: { main: { name: a, tags: \"n.{category}\" } }")
        guard case .rules = ReloadPlan(from: before, to: tagged),
            case .needsRestart(let changes) = ReloadPlan(from: before, to: try hubs("hubs: { main: { name: b } }"))
        else {
            Issue.record("a hub's keys are classified wrongly")
            return
        }
        #expect(changes.map(\.key) == ["hubs.main.name"])
    }
}
