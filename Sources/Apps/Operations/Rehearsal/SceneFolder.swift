import FoundationEssentials

/// A folder of scenes: events with their expected results.
///
/// `NAME.expected.ndjson` and `NAME.ndjson` are a scene. `NAME.yaml` is its configuration, if the file exists.
package struct SceneFolder: Sendable {
    /// The files of one scene.
    package struct Scene: Sendable, Equatable {
        /// The name of the files, without their extensions.
        package var name: String
        package var events: String
        package var expected: String
        /// Its own configuration; `nil` if it has none.
        package var configuration: String?
    }

    private static let ofExpected = ".expected.ndjson"

    /// The scenes, sorted by name.
    package let scenes: [Scene]
    /// The files with events that no scene uses, sorted.
    package let unused: [String]

    /// Finds the scenes of a folder. Folders in it are not searched.
    ///
    /// - Throws: ``OperationError`` with exit code 65 if the folder cannot be read or has no scene, because a build that
    ///   tests nothing must not pass, or if a scene has no events.
    package init(_ folder: String) throws(OperationError) {
        let path = folder.hasSuffix("/") ? String(folder.dropLast()) : folder
        let names: [String]
        do {
            names = try FileManager.default.contentsOfDirectory(atPath: path).sorted()
        } catch {
            throw OperationError(.badData, "\(folder) cannot be read")
        }
        var scenes: [Scene] = []
        for file in names where file.hasSuffix(Self.ofExpected) {
            let name = String(file.dropLast(Self.ofExpected.count))
            guard names.contains("\(name).ndjson") else {
                throw OperationError(
                    .badData,
                    "\(path)/\(file): \(name).ndjson with the events of the scene is missing"
                )
            }
            scenes.append(
                Scene(
                    name: name,
                    events: "\(path)/\(name).ndjson",
                    expected: "\(path)/\(file)",
                    configuration: names.contains("\(name).yaml") ? "\(path)/\(name).yaml" : nil
                )
            )
        }
        guard !scenes.isEmpty else {
            throw OperationError(.badData, "\(folder): contains no scene: write NAME.ndjson and NAME\(Self.ofExpected)")
        }
        self.scenes = scenes
        let used = Set(scenes.flatMap { ["\($0.name).ndjson", $0.name + Self.ofExpected] })
        unused = names.filter { $0.hasSuffix(".ndjson") && !used.contains($0) }
    }

    /// Whether a path is a folder.
    package static func isFolder(_ path: String) -> Bool {
        var isFolder = false
        return FileManager.default.fileExists(atPath: path, isDirectory: &isFolder) && isFolder
    }
}

/// The result of one scene.
package struct SceneResult: Sendable {
    private let name: String
    private let count: Int
    private let failed: Int
    private let problems: [String]

    package init(of scene: SceneFolder.Scene, _ report: RehearsalReport) {
        name = scene.name
        count = report.passed + report.failed
        failed = report.failed
        problems = report.problems
    }

    package var isPassed: Bool { problems.isEmpty }

    /// One line, and one for each difference.
    package var lines: [String] {
        guard !isPassed else { return ["passed  \(name): \(counted(count, "expectation"))"] }
        let heading = "failed  \(name): \(failed) of \(counted(count, "expectation")) not met"
        return [heading] + problems.map { "    " + $0 }
    }
}

extension [SceneResult] {
    /// The numbers of scenes, for people.
    package var summary: String {
        let passed = count(where: \.isPassed)
        return "\(counted(count, "scene")): \(passed) passed, \(count - passed) failed"
    }
}
