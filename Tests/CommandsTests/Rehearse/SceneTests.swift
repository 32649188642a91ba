import FoundationEssentials
import NewsflashTimestamps
import NewsflashWorker
import Testing

@testable import NewsflashCommands
@testable import NewsflashOperations

@Suite(.timeLimit(.minutes(1)))
struct SceneTests {
    @Test(arguments: Scene.all, Scene.restarts)
    func `a scene has its expected results, also if the worker restarts`(
        scene: Scene,
        restarts: RehearsedRestarts
    ) throws {
        let report = try scene.report(restarts)
        #expect(report.differences == [])
        #expect(report.faults == [])
        #expect(report.passed > 0)
    }

    @Test func `every scene's folder is used`() throws {
        let folders = try FileManager.default.contentsOfDirectory(
            atPath: "\(Scene.checkout)/Tests/CommandsTests/Rehearse/Scenes"
        )
        .filter { !$0.hasSuffix(".yaml") }
        #expect(Set(folders + ["suite"]) == Set(Scene.all.map(\.name)))
    }

    @Test func `all thirteen incidents have a scene`() {
        let numbers = Set(Scene.all.compactMap { Int($0.name.prefix(2)) })
        #expect(numbers == Set(1...13))
    }
}
