import Worker

/// The shortest configuration that works, to be spoiled.
enum SoundConfiguration {
    /// Four lines.
    static let text = """
        version: 1
        hub: regional
        locales: { offered: [en, fr], default: en }
        categories: { World: [world] }

        """

    /// What is wrong once some lines are added; the first of them is line 5.
    static func problems(adding lines: String, environment: [String: String] = [:]) -> [String] {
        problems(in: text + lines, environment: environment)
    }

    /// What is wrong with a text.
    static func problems(in text: String, environment: [String: String] = [:]) -> [String] {
        do {
            _ = try ConfigurationReader(environment: environment).read(text: text, source: "test.yaml")
            return []
        } catch {
            return error.problems.map(\.description)
        }
    }

    /// What is read once some lines are added.
    static func read(adding lines: String = "", environment: [String: String] = [:]) throws -> WorkerConfiguration {
        try ConfigurationReader(environment: environment).read(text: text + lines, source: "test.yaml").configuration
    }
}
