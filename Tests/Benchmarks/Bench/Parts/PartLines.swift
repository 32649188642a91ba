import NewsflashBasics
import NewsflashCommands
import NewsflashOperations

/// The lines between the bench and a process that it started.
enum PartLines {
    /// Prints that the process is ready, and answers each line of the standard input until end of file.
    ///
    /// - Parameters:
    ///   - line: The line that reports readiness.
    ///   - answer: Returns the answer to the words of a line; called on a separate thread.
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
