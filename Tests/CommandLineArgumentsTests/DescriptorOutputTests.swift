import Dispatch
import Glibc
import Testing

@testable import NewsflashCommandLineArguments

@Suite(.timeLimit(.minutes(1)))
struct DescriptorOutputTests {
    @Test func `a whole line is written to a descriptor that does not block`() throws {
        var ends: [Int32] = [-1, -1]
        try #require(pipe(&ends) == 0)
        let (reader, writer) = (ends[0], ends[1])
        _ = fcntl(writer, F_SETFL, O_NONBLOCK)
        // More than a pipe holds, so that the writer must wait for the reader.
        let line = [UInt8](repeating: UInt8(ascii: "x"), count: 300_000)
        DispatchQueue.global().async {
            DescriptorOutput.write(line: line, to: writer)
            close(writer)
        }
        var received = 0
        var buffer = [UInt8](repeating: 0, count: 4096)
        while case let count = read(reader, &buffer, buffer.count), count > 0 { received += count }
        close(reader)
        #expect(received == line.count + 1)
    }
}
