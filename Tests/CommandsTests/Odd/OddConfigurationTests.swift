import FoundationEssentials
import NewsflashTestSupport
import NewsflashWorker
import Testing

@testable import NewsflashCommands
@testable import NewsflashOperations

/// Configurations with plausible mistakes: the answer names the key, its line and what to do.
@Suite(.timeLimit(.minutes(1)))
struct OddConfigurationTests {
    @Test(arguments: OddConfiguration.all)
    func `the answer to an odd configuration names the key and what to do`(odd: OddConfiguration) throws {
        let folder = try TemporaryFolder()
        let path = folder.file("odd.yaml")
        try Data(odd.bytes).write(to: URL(filePath: path))
        var answers: [String] = []
        do throws(ConfigurationError) {
            let read = try ConfigurationReader(environment: odd.environment).read(file: path)
            let unknown = UnknownVariables(odd.environment, known: read.variables).warnings
            answers = (read.warnings + unknown).map { "warning \($0.place)" }
            if let shows = odd.shows {
                let values = read.values.filter { $0.key == shows.key }.map(\.shown)
                #expect(values == [shows.value])
            }
        } catch {
            answers = error.problems.map(\.place)
        }
        #expect(answers.count == odd.answers.count, "\(answers)")
        for (answer, expected) in zip(answers, odd.answers) { #expect(answer.hasPrefix(expected)) }
        #expect(!answers.joined().contains("hunter2"), "a secret is shown")
    }

    @Test func `the number of odd configurations has not shrunk`() {
        #expect(OddConfiguration.all.count >= 204)
    }
}

extension ConfigurationProblem {
    fileprivate var place: String {
        let start = line.map { "\($0) " } ?? ""
        return path.isEmpty ? start + message : "\(start)\(path): \(message)"
    }
}

extension ConfigurationValue {
    fileprivate var shown: String {
        switch content {
        case .text(let text): text
        case .list(let texts): texts.joined(separator: ", ")
        case .hidden: "(hidden)"
        case .none: "-"
        }
    }
}
