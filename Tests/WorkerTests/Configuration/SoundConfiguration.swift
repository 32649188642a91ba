import NewsflashWorker

/// The shortest valid configuration, to which tests add lines.
enum SoundConfiguration {
    /// The text, four lines long.
    static let text = """
        version: 1
        hub: regional
        locales: { offered: [en, fr], default: en }
        categories: { World: [world] }

        """

    /// The problems after some lines are added; the first added line is line 5.
    static func problems(adding lines: String, environment: [String: String] = [:]) -> [String] {
        problems(in: text + lines, environment: environment)
    }

    /// The problems of a text.
    static func problems(in text: String, environment: [String: String] = [:]) -> [String] {
        do {
            _ = try ConfigurationReader(environment: environment).read(text: text, source: "test.yaml")
            return []
        } catch {
            return error.problems.map(\.description)
        }
    }

    /// Reads the configuration with some lines added.
    static func read(adding lines: String = "", environment: [String: String] = [:]) throws -> WorkerConfiguration {
        try ConfigurationReader(environment: environment).read(text: text + lines, source: "test.yaml").configuration
    }
}
