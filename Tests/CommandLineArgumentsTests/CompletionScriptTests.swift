import Glibc
import NewsflashCommandLineArguments
import NewsflashTestSupport
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
    func `the script contains subcommands and options, and no hidden ones`(shell: String) throws {
        let script = try script(shell)
        #expect(script.contains("parcel depot open-depot"))
        #expect(script.contains("bootstrap-servers"))
        #expect(script.contains("door-number"))
        #expect(!script.contains("outcome"))
        #expect(!script.contains("weigh-twice"))
    }

    @Test func `fish and zsh complete values that can be listed`() throws {
        let fish = try script("fish")
        #expect(fish.contains("-l speed -r -f -a 'slow fast'"))
        #expect(fish.contains("'__parcel_called parcel depot label-depot' -f -a 'slow fast'"))
        let zsh = try script("zsh")
        #expect(zsh.contains(#""parcel send --speed") candidates=(slow fast) ;;"#))
        #expect(zsh.contains(#""parcel send -t"|"parcel send --to") candidates=() ;;"#))
    }

    private static let bash = "/bin/bash"

    /// Runs a script in bash and returns how it ended.
    private func bash(_ options: String, _ script: String) throws -> Int32 {
        let pipe = try #require(popen("\(Self.bash) --norc \(options)", "w"))
        fputs(script + "\n", pipe)
        return pclose(pipe)
    }

    @Test(.needsBash)
    func `bash can parse the script`() throws {
        #expect(try bash("-n", script("bash")) == 0)
        #expect(try bash("-n 2>/dev/null", "if") != 0)
    }

    @Test(
        .needsBash,
        arguments: [
            ("parcel s", "send"),
            ("parcel depot o", "open-depot"),
            ("parcel track --bo", "--bootstrap-servers"),
            ("parcel send x --door", "--door-number"),
            ("parcel send --bootstrap", ""),
            ("parcel send --speed s", "slow"),
            ("parcel send --speed = f", "fast"),
            ("parcel send --to O", ""),
            ("parcel depot label-depot s", "slow"),
        ]
    )
    func `the script completes in bash`(line: String, completion: String) throws {
        let check = """
            COMP_WORDS=(\(line)); COMP_CWORD=$((${#COMP_WORDS[@]} - 1)); _parcel
            [ "${COMPREPLY[*]}" = "\(completion)" ]
            """
        #expect(try bash("-s", script("bash") + "\n" + check) == 0)
    }
}
