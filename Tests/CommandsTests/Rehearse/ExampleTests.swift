import NewsflashPublishing
import NewsflashWorker
import Testing

@testable import NewsflashCommands
@testable import NewsflashOperations

/// The configurations of `deploy/examples`; `.ci/check-shipped` compares them with the schema.
@Suite(.timeLimit(.minutes(1)))
struct ExampleTests {
    @Test(arguments: ["six-categories", "editions", "agency-languages", "suite"])
    func `lint finds nothing wrong with an example`(name: String) throws {
        let file = "\(Scene.checkout)/deploy/examples/\(name).yaml"
        let read = try ConfigurationReader(environment: [:]).read(file: file)
        #expect(read.configuration.publishing.digest.isEmpty == false)
    }

    @Test func `the configuration in the README is the one of an example`() throws {
        let readme = String(decoding: try EventFiles.content(of: "\(Scene.checkout)/README.md"), as: UTF8.self)
        let block = try #require(readme.split(separator: "```yaml\n").dropFirst().first?.split(separator: "```").first)
        let read = try ConfigurationReader(environment: [:]).read(text: String(block), source: "README.md")
        #expect(read.configuration.group == "newsflash")
    }
}
