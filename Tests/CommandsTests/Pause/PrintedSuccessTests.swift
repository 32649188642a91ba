import FoundationEssentials
import NewsflashEvents
import NewsflashKafkaTestCluster
import NewsflashPublishing
import NewsflashTestSupport
import NewsflashTimestamps
import NewsflashWorker
import Testing

@testable import NewsflashCommands
@testable import NewsflashOperations

/// Printed success means that the command is in force: conditions × commands, as the program runs them, with a running
/// worker.
///
/// Exit code 0 if and only if the next flash is treated as commanded. For a withdrawal: the notified audience has it,
/// and the next news of the story is not sent.
@Suite(.timeLimit(.minutes(5)))
struct PrintedSuccessTests {
    private static let desk = "https://cms.example.org/desk"

    private enum Command: String, CaseIterable {
        case pause, resume, withdraw
    }

    /// A state before the command.
    private enum Before {
        case order(ControlRecord.Act, Scope, by: ControlRecord.Author = .person("ed:kim"), clock: Duration = .zero)
        /// The story was withdrawn.
        case withdrawal
    }

    private enum Scope {
        case all, desk, topic
    }

    /// One run of a command.
    private struct Trial {
        /// The words of the command; `STORY` stands for a story with notifications.
        var words: [String]
        var after: [Before] = []
        var file = "newsflash.yaml"
        var user: String?
        var code: Int32 = 0
        /// A part of the output.
        var prints = ""
        /// The source of the next flash.
        var next = PrintedSuccessTests.desk
        /// The deviation of the command's clock.
        var clock: Duration?
        var hasWorker = true
    }

    private struct Row {
        var condition: String
        var pause: [Trial]
        var resume: [Trial]
        var withdraw: [Trial]

        init(_ condition: String, pause: [Trial], resume: [Trial], withdraw: [Trial]) {
            (self.condition, self.pause, self.resume, self.withdraw) = (condition, pause, resume, withdraw)
        }

        func trials(_ command: Command) -> [Trial] {
            switch command {
            case .pause: pause
            case .resume: resume
            case .withdraw: withdraw
            }
        }
    }

    private static let hour = Duration.seconds(3600)

    private static let table = [
        Row(
            "name",
            pause: [
                Trial(words: ["--source", "desk"]),
                Trial(words: ["--source", "desk"], file: "with-id.yaml"),
                Trial(words: ["--source", "desk"], next: "urn:never-seen"),
            ],
            resume: [
                Trial(words: ["--source", "desk"], after: [.order(.pause, .topic)]),
                Trial(words: ["--source", "desk"], after: [.order(.pause, .topic)], next: "urn:never-seen"),
                Trial(words: ["--source", "desk"], after: [.order(.pause, .desk), .order(.pause, .topic)]),
                Trial(words: ["--source", "desk"], after: [.order(.pause, .desk)], file: "with-id.yaml"),
            ],
            withdraw: [Trial(words: ["--story", "STORY"]), Trial(words: ["--story", "STORY", "--source", "desk"])]
        ),
        Row(
            "URI",
            pause: [Trial(words: ["--source", desk]), Trial(words: ["--source", desk], file: "with-id.yaml")],
            resume: [Trial(words: ["--source", desk], after: [.order(.pause, .desk)])],
            withdraw: [
                Trial(words: ["--story", "STORY", "--source", desk], file: "with-id.yaml"),
                // Ledgers belong to sources of the configuration.
                Trial(words: ["--story", "STORY", "--source", "urn:other"], code: 78, prints: "unknown source"),
            ]
        ),
        Row(
            "trailing slash",
            pause: [Trial(words: ["--source", desk + "/"], code: 1, prints: "Did you mean '\(desk)'?")],
            resume: [
                Trial(
                    words: ["--source", desk + "/"],
                    after: [.order(.pause, .desk)],
                    code: 1,
                    prints: "Did you mean '\(desk)'?"
                )
            ],
            withdraw: [Trial(words: ["--story", "STORY/"], code: 1, prints: "similar names")]
        ),
        Row(
            "typo",
            pause: [
                Trial(words: ["--source", "desc"], code: 1, prints: "Did you mean 'desk'?"),
                Trial(words: ["--source", "urn:unknown"], code: 1, prints: "Configured: 'desk'", next: "urn:unknown"),
                Trial(words: ["--source", "urn:other", "--force"], next: "urn:other"),
            ],
            resume: [
                Trial(words: ["--source", "desc"], after: [.order(.pause, .desk)], code: 1, prints: "mean 'desk'?")
            ],
            withdraw: [
                Trial(words: ["--story", "STORx"], code: 1, prints: "nobody was notified"),
                Trial(words: ["--story", "STORY", "--source", "desc"], code: 78, prints: "Did you mean 'desk'?"),
            ]
        ),
        Row(
            "--all",
            pause: [Trial(words: ["--all"]), Trial(words: ["--all"], next: "urn:never-seen")],
            resume: [
                Trial(words: ["--all"], after: [.order(.pause, .desk), .order(.pause, .all), .order(.pause, .topic)]),
                Trial(words: ["--all"], after: [.order(.pause, .desk, by: .volumeLimit)]),
            ],
            // The option does not exist, because nobody may withdraw everything by one word.
            withdraw: [Trial(words: ["--story", "STORY", "--all"], code: 64, prints: "--all")]
        ),
        Row(
            "empty USER",
            pause: [
                Trial(words: ["--source", desk], user: "", prints: " by someone: "),
                Trial(words: ["--source", desk], user: String(repeating: "u", count: 300), prints: " by someone: "),
            ],
            resume: [
                Trial(words: ["--source", desk], after: [.order(.pause, .desk)], user: "", prints: " by someone: ")
            ],
            withdraw: [
                Trial(words: ["--story", "STORY"], user: ""),
                Trial(words: ["--story", "STORY"], user: String(repeating: "u", count: 300)),
            ]
        ),
        Row(
            "clock one hour off",
            pause: [
                Trial(words: ["--source", desk], after: [.order(.resume, .desk, clock: hour)]),
                Trial(words: ["--source", "desk"], after: [.order(.resume, .topic, clock: hour)]),
            ],
            resume: [
                Trial(words: ["--source", desk], after: [.order(.pause, .desk, clock: hour)]),
                Trial(words: ["--source", "desk"], after: [.order(.pause, .topic, clock: hour)]),
            ],
            withdraw: [Trial(words: [], clock: .seconds(-3600)), Trial(words: [], clock: hour)]
        ),
        Row(
            "another order before",
            pause: [
                Trial(words: ["--source", desk], after: [.order(.pause, .desk)]),
                Trial(words: ["--source", desk], after: [.order(.pause, .desk), .order(.resume, .desk)]),
                Trial(words: ["--source", desk], after: [.order(.pause, .desk, by: .volumeLimit)]),
            ],
            resume: [
                Trial(
                    words: ["--source", desk],
                    after: [.order(.pause, .desk), .order(.pause, .all)],
                    code: 1,
                    prints: "still paused by the order on all sources: paused since"
                ),
                Trial(
                    words: ["--source", desk],
                    after: [.order(.pause, .topic)],
                    code: 1,
                    prints: "resume the whole source by its name"
                ),
                Trial(words: ["--source", "desk"], after: [.order(.pause, .all)], code: 1, prints: "still paused"),
                Trial(words: ["--source", "desk"], after: [.order(.pause, .desk, by: .volumeLimit)]),
                Trial(words: ["--source", desk]),
            ],
            withdraw: [
                Trial(words: ["--story", "STORY"], after: [.withdrawal], prints: "withdrawn before at 1 audience"),
                Trial(words: ["--story", "STORY"], after: [.order(.pause, .desk)], code: 1, prints: "waits, nobody"),
                Trial(words: ["--story", "STORY"], after: [.order(.pause, .topic)], code: 1, prints: "waits, nobody"),
                Trial(words: ["--story", "STORY"], after: [.order(.pause, .all), .order(.resume, .all)]),
            ]
        ),
        Row(
            "no worker",
            pause: [Trial(words: ["--source", "desk"], prints: "no worker of group", hasWorker: false)],
            resume: [
                Trial(
                    words: ["--source", "desk"],
                    after: [.order(.pause, .desk)],
                    prints: "no worker of group",
                    hasWorker: false
                )
            ],
            // The withdrawal is sent when a worker runs, but nobody has it when the command ends.
            withdraw: [
                Trial(
                    words: ["--story", "STORY", "--wait", "1s"],
                    code: 1,
                    prints: "no worker has answered",
                    hasWorker: false
                )
            ]
        ),
        Row(
            "broken configuration elsewhere",
            pause: [
                Trial(words: ["--source", "desk"], file: "broken.yaml", prints: "1 problem that does not concern")
            ],
            resume: [
                Trial(
                    words: ["--source", "desk"],
                    after: [.order(.pause, .desk)],
                    file: "broken.yaml",
                    prints: "1 problem that does not concern"
                )
            ],
            withdraw: [
                Trial(words: ["--story", "STORY"], file: "broken.yaml", prints: "1 problem that does not concern")
            ]
        ),
    ]

    /// A trial with its position in the table, which is part of its events' names.
    private struct Numbered {
        var command: Command
        var condition: String
        var trial: Trial
        var name: String
        var story: String { "story-\(name)" }
    }

    private static let trials: [Numbered] = table.enumerated().flatMap { index, row -> [Numbered] in
        Command.allCases.flatMap { command -> [Numbered] in
            row.trials(command).enumerated().map { number, trial -> Numbered in
                let name = "\(command)-\(index)-\(number)"
                return Numbered(command: command, condition: row.condition, trial: trial, name: name)
            }
        }
    }

    @Test func `the table has ten conditions for each command`() {
        #expect(Set(Self.table.map(\.condition)).count == 10)
        for command in Command.allCases { #expect(Self.table.allSatisfy { !$0.trials(command).isEmpty }) }
    }

    @Test(.enabled(if: KafkaTestCluster.isReal, "counts the members of the group"))
    func `the exit code is 0 if and only if the next flash is treated as commanded`() async throws {
        try await PausedNewsroom.open { newsroom in
            let withWorker = Self.trials.filter(\.trial.hasWorker)
            let without = Self.trials.filter { !$0.trial.hasWorker }
            try await newsroom.watched.withWorkers { _ in
                // Its outcome contains the source that the topic's events have.
                let isSent = try await newsroom.sends("first")
                #expect(isSent)
                for numbered in withWorker {
                    try await prepare(numbered, newsroom)
                    try await newsroom.waitForOrders("\(numbered.name)-before")
                    let (code, text) = try await run(numbered, newsroom)
                    try await newsroom.waitForOrders("\(numbered.name)-after")
                    try await check(numbered, code, text, newsroom)
                }
                for numbered in without where numbered.command == .withdraw { try await prepare(numbered, newsroom) }
            }
            for numbered in without {
                if numbered.command != .withdraw { try await prepare(numbered, newsroom) }
                let (code, text) = try await run(numbered, newsroom)
                if numbered.command == .withdraw {
                    #expect((code == 0) == newsroom.pushes(of: numbered.story).contains("kill"), "\(text)")
                }
                try await newsroom.watched.withWorkers { _ in try await check(numbered, code, text, newsroom) }
            }
        }
    }

    /// Creates the state before the command.
    private func prepare(_ numbered: Numbered, _ newsroom: PausedNewsroom) async throws {
        let orders = numbered.trial.after.compactMap { before -> ControlRecord? in
            guard case .order(let act, let scope, let author, let clock) = before else { return nil }
            let holdScope: PauseScope =
                switch scope {
                case .all: .all
                case .desk: .source(Self.desk)
                case .topic: .topic(newsroom.watched.configuration.source.topic)
                }
            return ControlRecord(act, holdScope, by: author, reason: "before", at: .now() + clock)
        }
        try await newsroom.reset(with: [])
        if numbered.command == .withdraw {
            try await newsroom.waitForOrders("\(numbered.name)-story")
            _ = try await newsroom.publish(newsroom.news("\(numbered.name)-first", story: numbered.story))
            #expect(newsroom.pushes(of: numbered.story) == ["flash"])
        }
        for case .withdrawal in numbered.trial.after {
            var kill = newsroom.news("\(numbered.name)-kill", story: numbered.story, revision: 2)
            kill.kind = .kill
            _ = try await newsroom.publish(kill)
        }
        if !orders.isEmpty { try await newsroom.write(orders) }
    }

    private func run(_ numbered: Numbered, _ newsroom: PausedNewsroom) async throws -> (code: Int32, text: String) {
        let trial = numbered.trial
        let file = newsroom.watched.folder.file(trial.file)
        if let clock = trial.clock { return try await withdraw(numbered.story, clock: clock, file) }
        let words = trial.words.map { $0.replacing("STORx", with: numbered.story + "x") }
            .map { $0.replacing("STORY", with: numbered.story) }
        let (code, lines) = try await newsroom.run(
            [numbered.command.rawValue, "--config", file, "--reason", numbered.name] + words,
            trial.user.map { ["USER": $0] } ?? [:]
        )
        return (code, lines.joined(separator: "\n"))
    }

    /// Withdraws a story as the command does on a machine whose clock is off.
    private func withdraw(_ story: String, clock: Duration, _ file: String) async throws -> (code: Int32, text: String)
    {
        let settings = try ConfigurationReader(environment: [:]).readTopics(file: file).settings
        let found = await StorySearch(settings, story: story).find()
        let order = KillRecord.Order(reason: nil, person: nil, text: [])
        let kills = found.stories.map { KillRecord(of: $0, story: story, by: order, number: 1, now: .now() + clock) }
        let reports = try await WithdrawalWriting(settings: settings, patience: "30s").write(kills)
        let text = reports.flatMap(\.lines).joined(separator: "\n")
        do {
            try reports.requireSuccess()
            return (0, text)
        } catch {
            return (1, text)
        }
    }

    private func check(_ numbered: Numbered, _ code: Int32, _ text: String, _ newsroom: PausedNewsroom) async throws {
        let place = "\(numbered.command), \(numbered.condition), \(numbered.name): \(text)"
        #expect(code == numbered.trial.code, "\(place)")
        #expect(text.contains(numbered.trial.prints), "\(place)")
        let next = "\(numbered.name)-next"
        switch numbered.command {
        case .pause:
            let isSent = try await newsroom.sends(next, of: numbered.trial.next)
            #expect((code == 0) == !isSent, "\(place)")
        case .resume:
            let isSent = try await newsroom.sends(next, of: numbered.trial.next)
            #expect((code == 0) == isSent, "\(place)")
        case .withdraw:
            let isWithdrawn = newsroom.pushes(of: numbered.story) == ["flash", "kill"]
            // Without a worker it is sent later.
            if numbered.trial.hasWorker { #expect((code == 0) == isWithdrawn, "\(place)") }
            _ = try await newsroom.publish(newsroom.news(next, story: numbered.story, revision: 20))
            if code == 0 { #expect(newsroom.pushes(of: numbered.story) == ["flash", "kill"], "\(place)") }
            // The news may end before the withdrawal does.
            if !numbered.trial.hasWorker {
                try await waitUntil { newsroom.pushes(of: numbered.story) == ["flash", "kill"] }
            }
        }
    }
}
