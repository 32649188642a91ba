import CommandLineArguments
import Glibc
import Testing

@Suite(.timeLimit(.minutes(1)))
struct CompletionScriptTests {
    private func script(_ shell: String) throws -> String {
        let exit = #expect(throws: CleanExit.self) {
            try Parcel.parseAsRoot(["--generate-completion-script", shell])
        }
        guard case .message(let script) = exit else { return "" }
        return script
    }

    @Test(arguments: ["bash", "zsh", "fish"])
    func `names subcommands and options, not hidden ones`(shell: String) throws {
        let script = try script(shell)
        #expect(script.contains("parcel depot open-depot"))
        #expect(script.contains("bootstrap-servers"))
        #expect(script.contains("door-number"))
        #expect(!script.contains("outcome"))
        #expect(!script.contains("weigh-twice"))
    }
    private static let bash = "/bin/bash"

    private static var hasBash: Bool { access(bash, X_OK) == 0 }

    /// Gives a script to bash and returns how it ended.
    private func bash(_ options: String, _ script: String) throws -> Int32 {
        let pipe = try #require(popen("\(Self.bash) --norc \(options)", "w"))
        fputs(script + "\n", pipe)
        return pclose(pipe)
    }

    @Test(.enabled(if: hasBash, "bash is not installed"))
    func `is a script that bash can read`() throws {
        #expect(try bash("-n", script("bash")) == 0)
        #expect(try bash("-n 2>/dev/null", "if") != 0)
    }

    @Test(
        .enabled(if: hasBash, "bash is not installed"),
        arguments: [
            ("parcel s", "send"),
            ("parcel depot o", "open-depot"),
            ("parcel track --bo", "--bootstrap-servers"),
            ("parcel send x --door", "--door-number"),
            ("parcel send --bootstrap", ""),
        ]
    )
    func `completes in bash`(line: String, completion: String) throws {
        let check = """
            COMP_WORDS=(\(line)); COMP_CWORD=$((${#COMP_WORDS[@]} - 1)); _parcel
            [ "${COMPREPLY[*]}" = "\(completion)" ]
            """
        #expect(try bash("-s", script("bash") + "\n" + check) == 0)
    }
}
