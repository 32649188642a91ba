import Threads

/// The lines between a part of the bench and the bench itself.
enum PartLines {
    /// Says that the part is ready, and answers each line of the standard input until its end, which is that of the process.
    ///
    /// - Parameters:
    ///   - line: Says that the part is ready.
    ///   - answer: Takes the words of a line and makes the answer to it; called on a thread of its own.
    static func serve(_ line: String, answer: @escaping @Sendable (_ words: [String]) -> String) async {
        StandardOutput.write(line)
        let end = AsyncStream<Void>.makeStream()
        startThread(named: "lines") {
            while let line = readLine() {
                StandardOutput.write(answer(line.split(separator: " ").map(String.init)))
            }
            end.continuation.finish()
        }
        for await _ in end.stream {}
    }
}
