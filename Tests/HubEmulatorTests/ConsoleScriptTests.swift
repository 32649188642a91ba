import FoundationEssentials
import NewsflashTestSupport
import Testing

/// Scripts of the console, run by Node.js without a browser.
@Suite(.timeLimit(.minutes(1)))
struct ConsoleScriptTests {
    @Test(.needsProgram("node"))
    func `refusals are requested by one request at a time, also after a restart of the emulator`() async throws {
        let lines = try await Self.run(
            """
            const node = () => ({ replaceChildren() {}, childElementCount: 0 });
            globalThis.document = { getElementById: node };
            const { Refusals } = await import("./refusals.js");
            const asked = [];
            const waiting = [];
            let most = 0;
            const refusals = new Refusals({
                inspect(method, path) {
                    asked.push(path.split("after=")[1]);
                    return new Promise((answer) => {
                        waiting.push(answer);
                        most = Math.max(most, waiting.length);
                    });
                },
            });
            const turn = () => new Promise((done) => setImmediate(done));
            const answer = async (last) => {
                await turn();
                waiting.shift()({ last, requests: [] });
                await turn();
            };
            const first = refusals.catchUp();
            await answer(9);
            await first;
            const second = refusals.catchUp();
            // A lower number, because the emulator was restarted.
            await answer(2);
            refusals.catchUp();
            await answer(2);
            await second;
            console.log(`${most} at once, after ${asked.join(" ")}`);
            // A timer would make another request.
            process.exit(0);
            """
        )
        #expect(lines == ["1 at once, after 0 9 0"])
    }

    @Test(.needsProgram("node"))
    func `a failed request for the facts about the hub is made again`() async throws {
        let lines = try await Self.run(
            """
            globalThis.document = { baseURI: "http://127.0.0.1:8080/" };
            const { Hub } = await import("./hub.js");
            let [isAway, count] = [true, 0];
            globalThis.fetch = async () => {
                count += 1;
                if (isAway) throw new TypeError("away");
                return { ok: true, text: async () => JSON.stringify({ name: "newsroom" }) };
            };
            const hub = new Hub();
            const show = async (options) => {
                const { name } = await hub.describe(options).catch(() => ({ name: "failed" }));
                console.log(`${name} ${count}`);
            };
            await show();
            isAway = false;
            await show();
            await show();
            isAway = true;
            await show({ fresh: true });
            isAway = false;
            await show();
            """
        )
        #expect(lines == ["failed 1", "newsroom 2", "newsroom 2", "failed 3", "newsroom 4"])
    }

    @Test(.needsProgram("node"))
    func `the properties of a template are found in each form of expression, once each`() async throws {
        let lines = try await Self.run(
            #"""
            const { propertiesOfTemplate } = await import("./platforms.js");
            const template = {
                title: "$(title)", body: "{'From ' + .(sender, 20) + ': ' + $( text:{none} )}",
                url: "https://example.com/%(id)", badge: "#(unread)", again: "$(title, 5)", price: "$5 (net)",
            };
            console.log(propertiesOfTemplate(JSON.stringify(template)).join(" "));
            """#
        )
        #expect(lines == ["title sender text id unread"])
    }

    /// Runs a script in a folder with the scripts of the console.
    ///
    /// - Returns: The lines that it prints.
    private static func run(_ script: String) async throws -> [String] {
        let root = #filePath.split(separator: "/").dropLast(3).joined(separator: "/")
        let console = "/\(root)/Sources/Apps/HubEmulator/Console/Resources"
        let folder = try TemporaryFolder()
        for name in try FileManager.default.contentsOfDirectory(atPath: console) where name.hasSuffix(".js") {
            let content = try #require(FileManager.default.contents(atPath: "\(console)/\(name)"))
            try folder.write(String(decoding: content, as: UTF8.self), to: name)
        }
        try folder.write(#"{"type":"module"}"#, to: "package.json")
        let file = try folder.write(script, to: "test.js")
        let program = try ChildProcess(["/usr/bin/env", "node", file])
        #expect(try await program.waitForEnd() == .exited(0), "\(program.lines.events)")
        return program.lines.events
    }
}
