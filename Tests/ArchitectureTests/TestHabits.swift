/// Rules for all tests, checked in the text of their files: a test ends, and a test that does not run has a reason.
struct TestHabits {
    /// A deliberate wait.
    struct Exception {
        /// The path below `Tests`.
        var file: String
        var count: Int
        var why: String
    }

    /// Allowed sleeps. A test that waits for something is woken by it: `EventLog.wait`, `waitUntil`.
    static let sleeps = [
        Exception(file: "BenchTests/BenchRunTests.swift", count: 1, why: "nothing reports that a process has ended"),
        Exception(file: "ClusterTests/Chaos/ChaosRun.swift", count: 1, why: "a scenario takes its time"),
        Exception(file: "ClusterTests/KilledWorkerTests.swift", count: 1, why: "the limit of a wait"),
        Exception(file: "ClusterTests/Rig/Desk.swift", count: 1, why: "the rate at which events are written"),
        Exception(file: "CommandsTests/Failures/ConnectingCommand.swift", count: 1, why: "the limit of a wait"),
        Exception(file: "CommandsTests/KeptHub/KeptHubTests.swift", count: 2, why: "the moment of a kill"),
        Exception(file: "HTTPServerTests/HTTPServerLimitsTests.swift", count: 1, why: "the rate of a slow client"),
        Exception(file: "HubEmulatorTests/Server/RobustnessTests.swift", count: 1, why: "the rate of a slow client"),
        Exception(file: "KafkaTests/Fleet.swift", count: 2, why: "the rate of records, and the limit of a wait"),
        Exception(
            file: "NotificationHubsTests/Client/ClientWaitingTests.swift",
            count: 1,
            why: "a wait to be cancelled"
        ),
        Exception(file: "Support/TestSupport/Waiting.swift", count: 1, why: "between two looks, for all others"),
    ]

    /// Allowed yields, with which a loop waits without being woken.
    static let yields = [
        Exception(file: "BasicsTests/Locks/PromiseTests.swift", count: 1, why: "no loop"),
        Exception(file: "HTTPServerTests/HTTPServerStreamTests.swift", count: 1, why: "writes until it is cancelled"),
    ]

    /// Allowed continuations. A cancelled test goes on waiting for one that ignores cancellation.
    static let continuations = [
        Exception(file: "HubEmulatorTests/Server/PlainConnection.swift", count: 1, why: "a read has a time-out"),
        Exception(file: "ObservabilityTests/Logging/LogSinkTests.swift", count: 1, why: "flushes within a time"),
        Exception(file: "ObservabilityTests/Logging/Pipe.swift", count: 1, why: "a read has a time-out"),
        Exception(file: "ObservabilityTests/Metrics/MetricsRegistryTests.swift", count: 1, why: "computes"),
        Exception(file: "Support/TestSupport/EventLog.swift", count: 1, why: "heeds cancellation, for all others"),
        Exception(file: "Support/TestSupport/RawClient.swift", count: 1, why: "a read has a time-out"),
    ]

    /// The suites with a time limit, by target and name.
    private let timedSuites: Set<String>

    /// - Parameter files: All test files, because the extensions of a suite may be in other files.
    init(_ files: [TestFile]) {
        timedSuites = Set(files.flatMap { file in file.timedTypes.map { "\(file.target).\($0)" } })
    }

    /// Returns the violations in a file, with their lines.
    func violations(in file: TestFile) -> [String] {
        let untimed = file.tests { timedSuites.contains("\(file.target).\($0)") }.filter { !$0.isTimed }.map {
            "\($0.line): no time limit"
        }
        let loops = file.endlessLoops.map { "\($0): the loop waits and does not heed cancellation" }
        let locks = file.endlessSemaphores.map { "\($0): the semaphore is waited for without a time-out" }
        let silent = file.silentConditions.map { "\($0): `.enabled(if:)` does not say why the test is skipped" }
        let exceptions = [
            ("Task.sleep(", Self.sleeps), ("Task.yield(", Self.yields), ("Continuation {", Self.continuations),
        ]
        let waits = exceptions.compactMap { call, allowed -> String? in
            let wanted = allowed.first { $0.file == file.path }?.count ?? 0
            let found = file.code.count { $0.text.contains(call) }
            return found == wanted ? nil : "\(found) times \(call)…, and \(wanted) are in the list of this test"
        }
        return (untimed + loops + locks + silent + waits).map { "Tests/\(file.path):\($0)" }
    }
}

/// The text of a test file.
struct TestFile {
    struct Line {
        /// The number, from 1.
        var number: Int
        var text: Substring

        var indentation: Int { text.prefix { $0 == " " }.count }
        var isComment: Bool { text.drop { $0 == " " }.hasPrefix("//") }

        /// Whether it begins a loop, with or without a label. A text in backticks is a name.
        var beginsLoop: Bool {
            var words = text.split(separator: " ", maxSplits: 2)[...]
            if words.first?.hasSuffix(":") == true { words.removeFirst() }
            return (words.first == "while" || words.first == "repeat") && !text.contains("`")
        }

        /// The kind and the name of a type declared at the left margin.
        var type: (kind: Substring, name: Substring)? {
            guard text.first?.isLetter == true || text.first == "@" else { return nil }
            let words = text.split(separator: " ")
            guard let index = words.firstIndex(where: { Self.kinds.contains($0) }), index + 1 < words.count else {
                return nil
            }
            // Otherwise the keyword is part of another declaration.
            guard !words[..<index].contains(where: { ["func", "let", "var", "typealias"].contains($0) }) else {
                return nil
            }
            return (words[index], words[index + 1].prefix { $0.isLetter || $0.isNumber || $0 == "_" || $0 == "." })
        }

        private static let kinds: Set<Substring> = ["struct", "class", "actor", "enum", "extension"]
    }

    /// The path below `Tests`.
    let path: String
    let target: String
    /// All lines except comments.
    let code: [Line]

    /// - Parameters:
    ///   - path: The path below `Tests`.
    ///   - text: The text of the file.
    init(path: String, text: String) {
        self.path = path
        target = path.split(separator: "/").dropLast().first.map(String.init) ?? ""
        code = text.split(separator: "\n", omittingEmptySubsequences: false).enumerated()
            .map { Line(number: $0.offset + 1, text: $0.element) }.filter { !$0.isComment }
    }

    /// The types at the left margin with a `.timeLimit` among their attributes.
    var timedTypes: [String] { types.filter { !$0.isExtension && $0.isTimed }.map(\.name) }

    /// The tests, by the line of their attribute, and whether they or their suite have a time limit.
    func tests(isTimed: (String) -> Bool) -> [(line: Int, isTimed: Bool)] {
        let types = types
        return code.indices.filter { code[$0].text.drop { $0 == " " }.hasPrefix("@Test") }.map { index in
            let attribute = code[index...].prefix { !$0.text.contains("func ") }.map(\.text) + [code[index].text]
            let type = code[index].indentation == 0 ? nil : types.last { $0.line < code[index].number }
            let isTimedByType = type.map { $0.isTimed || $0.isExtension && isTimed($0.name) } ?? false
            return (code[index].number, isTimedByType || attribute.contains { $0.contains(".timeLimit(") })
        }
    }

    /// The first lines of loops that wait for something and end neither with their task nor by an error.
    var endlessLoops: [Int] {
        code.indices.filter { code[$0].beginsLoop }
            .compactMap { start in
                let margin = code[start].indentation
                let isOneLine = code[start].text.hasSuffix("}")
                let rest = isOneLine ? [] : code[(start + 1)...].prefix { $0.indentation > margin || $0.text.isEmpty }
                let body = ([code[start]] + rest).map(\.text).joined(separator: "\n")
                let heeds = ["try await", "checkCancellation", "isCancelled"].contains { body.contains($0) }
                return body.contains("await") && !heeds ? code[start].number : nil
            }
    }

    /// The lines that wait for a semaphore without a limit.
    var endlessSemaphores: [Int] {
        guard code.contains(where: { $0.text.contains("DispatchSemaphore(") }) else { return [] }
        let names = code.compactMap { $0.text.firstMatch(of: /let (\w+) = DispatchSemaphore\(/)?.1 }
        return code.filter { line in names.contains { line.text.contains("\($0).wait()") } }.map(\.number)
    }

    /// The lines with a condition that has no comment.
    var silentConditions: [Int] {
        code.indices.filter { code[$0].text.contains(".enabled(") }.compactMap { start in
            let text = code[start...].prefix(8).map(\.text).joined(separator: "\n")
            guard let condition = text.firstMatch(of: /\.enabled\(\s*if:/) else { return nil }
            var depth = 0
            for character in text[condition.range.upperBound...] where depth >= 0 {
                switch character {
                case "," where depth == 0: return nil
                case "(", "[", "{": depth += 1
                case ")", "]", "}": depth -= 1
                default: break
                }
            }
            return code[start].number
        }
    }

    private var types: [(name: String, line: Int, isTimed: Bool, isExtension: Bool)] {
        var attributes: [Substring] = []
        return code.compactMap { line in
            if line.text.isEmpty || line.text == "}" { attributes = [] }
            attributes.append(line.text)
            guard let type = line.type else { return nil }
            let isTimed = attributes.contains { $0.contains(".timeLimit(") }
            return (String(type.name), line.number, isTimed, type.kind == "extension")
        }
    }
}
