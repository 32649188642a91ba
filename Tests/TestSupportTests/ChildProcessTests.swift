import NewsflashTestSupport
import Testing

#if canImport(Glibc)
import Glibc
#else
import Darwin
#endif

/// Programs that tests start.
@Suite(.timeLimit(.minutes(1)))
struct ChildProcessTests {
    @Test(arguments: [false, true])
    func `a program gets the given socket and no other descriptor`(hasListener: Bool) async throws {
        #if canImport(Glibc)
        let listener = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        let other = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        #else
        let listener = socket(AF_INET, SOCK_STREAM, 0)
        let other = socket(AF_INET, SOCK_STREAM, 0)
        #endif
        defer { for descriptor in [listener, other] { close(descriptor) } }
        let script = "for number in {3..99}; do [[ -e /dev/fd/$number ]] && echo open $number; done; echo done"
        let program = try ChildProcess(["/bin/bash", "-c", script], listener: hasListener ? listener : nil)
        #expect(try await program.waitForEnd() == .exited(0))
        #expect(program.lines.events == (hasListener ? ["open 3", "done"] : ["done"]))
    }

    @Test func `a program ends with its input or at a signal`() async throws {
        let reader = try ChildProcess(["/bin/cat"])
        reader.send("hello")
        #expect(try await reader.line(after: "hel") == "lo")
        reader.endInput()
        #expect(try await reader.waitForEnd() == .exited(0))
        reader.terminate()
        let other = try ChildProcess(["/bin/sleep", "1000"])
        other.terminate()
        #expect(try await other.waitForEnd() == .signalled(SIGTERM))
    }

    @Test func `a failing program is an error with its output`() async throws {
        try await ChildProcess.run(["/bin/bash", "-c", "exit 0"])
        let failure = await #expect(throws: ChildProcess.Failure.self) {
            try await ChildProcess.run(["/bin/bash", "-c", "echo no such thing; exit 3"])
        }
        #expect(failure?.description == "no such thing")
        await #expect(throws: ChildProcess.Failure.self) { try await ChildProcess.run(["/no/such/program"]) }
    }

    @Test func `only a program that can run is installed`() throws {
        #expect(isInstalled("/bin/bash") && isInstalled("bash"))
        #expect(!isInstalled("/etc/passwd") && !isInstalled("no-such-program") && !isInstalled("/no/such/program"))
    }

    @Test func `a written file is ours alone, and a new text replaces it`() throws {
        let file = try KeyFile("first")
        try file.write("second")
        var status = stat()
        #expect(stat(file.path, &status) == 0)
        #expect(status.st_mode & 0o777 == 0o600)
        #expect(status.st_size == 7)
    }
}
