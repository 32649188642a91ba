import FoundationEssentials
import Testing

/// Tests end, also if the tested code hangs.
@Suite(.timeLimit(.minutes(1)))
struct TestHabitsTests {
    private func violations(_ text: String, path: String = "RoutingTests/MapTests.swift") -> [String] {
        let file = TestFile(path: path, text: text)
        return TestHabits([file]).violations(in: file)
    }

    @Test func `every test ends, and has a reason if it does not run`() throws {
        let tree = PackageTree.here
        let files = try tree.testPaths()
            // These files contain the words as text.
            .filter { !$0.hasPrefix("ArchitectureTests/TestHabits") }
            .map { TestFile(path: $0, text: try tree.text(of: "Tests/\($0)")) }
        #expect(files.count > 300, "the files were not found")
        let habits = TestHabits(files)
        let violations = files.flatMap { habits.violations(in: $0) }
        #expect(violations.isEmpty, "\(violations.joined(separator: "\n"))")
        let excepted = (TestHabits.sleeps + TestHabits.yields + TestHabits.continuations).map(\.file)
        #expect(Set(excepted).subtracting(files.map(\.path)) == [], "listed, and no file")
    }

    @Test(arguments: [
        (
            "@Suite(.timeLimit(.minutes(1)))\nstruct A {\n    @Test func a() {}\n}\nextension A {\n    @Test func b() {}\n}",
            0
        ),
        ("@Suite(\n    .serialized,\n    .timeLimit(.minutes(1))\n)\nstruct A {\n    @Test\n    func a() {}\n}", 0),
        ("@Test(.timeLimit(.minutes(1))) func a() {}", 0),
        (
            "struct A {\n    @Test(\n        .timeLimit(.minutes(1)),\n        arguments: [1]\n    )\n    func a(_ b: Int) {}\n}",
            0
        ),
        ("struct A {\n    @Test func a() {}\n    @Test func b() {}\n}", 2),
        ("@Suite(.serialized)\nstruct A {\n    @Test func a() {}\n}", 1),
        ("@Suite(.timeLimit(.minutes(1)))\nstruct A {}\n\nstruct B {\n    @Test func a() {}\n}", 1),
        ("extension A {\n    @Test func a() {}\n}", 1),
        ("@Suite(.timeLimit(.minutes(1)))\nstruct A {}\n@Test func a() {}", 1),
    ])
    func `a test without a time limit is found`(text: String, count: Int) {
        #expect(violations(text).count == count)
    }

    @Test(arguments: [
        ("    while !isDone { await look() }", 1),
        ("    while true {\n        if isDone { return }\n        await look()\n    }", 1),
        ("    repeat {\n        await look()\n    } while !isDone", 1),
        ("    while !isDone {}\n    await look()", 0),
        ("    while !isDone { try await look() }", 0),
        ("    while true {\n        try Task.checkCancellation()\n        await look()\n    }", 0),
        ("    while !Task.isCancelled { await look() }", 0),
        ("    let gate = DispatchSemaphore(value: 0)\n    gate.wait()", 1),
        ("    let gate = DispatchSemaphore(value: 0)\n    gate.wait(timeout: .now() + 30)", 0),
        ("    try await Task.sleep(for: .seconds(1))", 1),
        ("    // Task.sleep(for: .seconds(1))", 0),
        ("    await Task.yield()", 1),
        ("    await withCheckedContinuation { $0.resume() }", 1),
    ])
    func `a wait without an end is found`(text: String, count: Int) {
        #expect(violations("func test() async throws {\n\(text)\n}").count == count)
    }

    @Test func `each deliberate wait is in the list with its count`() {
        let one = "func a() async {\n    await Task.yield()\n}\n"
        #expect(violations(one, path: "BasicsTests/Locks/PromiseTests.swift").isEmpty)
        #expect(violations(one + one, path: "BasicsTests/Locks/PromiseTests.swift").count == 1)
        #expect(violations("", path: "BasicsTests/Locks/PromiseTests.swift").count == 1)
    }

    @Test(arguments: [
        (".enabled(if: isHere)", 1), (".enabled(if: f(a, b))", 1),
        ("\n        .enabled(if: isHere),\n        arguments: []", 1),
        (#".enabled(if: isHere, "it is not here")"#, 0), (".enabled(if: f(a, b), howTo)", 0),
        ("\n        .enabled(\n            if: isHere,\n            \"it is not here\"\n        )\n    ", 0),
    ])
    func `a condition without a comment is found`(condition: String, count: Int) {
        #expect(violations("@Test(.timeLimit(.minutes(1)), \(condition)) func a() {}").count == count)
    }
}

extension PackageTree {
    /// Returns the Swift files of all test targets, from `Tests`. The benchmarks are programs, and wait as they need.
    fileprivate func testPaths() throws -> [String] {
        let folders = try targetFolders().filter { $0.hasPrefix("Tests/") && !$0.hasPrefix("Tests/Benchmarks/") }
        return try folders.flatMap { folder in
            try FileManager.default.subpathsOfDirectory(atPath: root.appending(path: folder).path)
                .filter { $0.hasSuffix(".swift") }.map { "\(folder.dropFirst("Tests/".count))/\($0)" }
        }
    }
}
