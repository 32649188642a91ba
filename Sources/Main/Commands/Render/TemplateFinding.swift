import NotificationHubs
import StrictJSON

/// What lint found in a device's template.
struct TemplateFinding: Sendable {
    /// The file, as it was given.
    let file: String
    let platform: PushPlatform
    /// Why the hub would refuse it.
    let problem: TemplateError?
    /// What the hub takes and nobody wants.
    let warnings: [String]
    /// What it reads, in lower case and in order.
    let properties: [String]
    /// The properties that it reads without a default and no send carries; empty if it is not known what sends carry.
    let missing: [String]

    /// Checks a template.
    ///
    /// - Parameters:
    ///   - file: The template.
    ///   - carried: The names that every send carries; nothing where the configuration is broken.
    init(_ file: TemplateFile, carried: [String]?) {
        self.file = file.name
        platform = file.platform
        switch file.template {
        case .failure(let error):
            problem = error
            warnings = []
            properties = []
            missing = []
        case .success(let template):
            problem = nil
            warnings = template.warnings
            properties = template.properties.sorted()
            let names = Set((carried ?? template.properties.sorted()).map { $0.lowercased() })
            missing = template.requiredProperties.filter { !names.contains($0) }.sorted()
        }
    }

    /// Whether the hub refuses the template, or devices would show it with holes.
    var isFaulty: Bool { problem != nil || !missing.isEmpty }

    /// The findings, a line each; one that says so where there are none.
    var lines: [String] {
        if let problem { return ["\(file): \(problem)"] }
        var lines = warnings.map { "\(file): warning: \($0)" }
        lines += missing.map {
            "\(file): no send carries \($0): it is empty on the device; add it to 'send.properties', or give it a default in "
                + "the template, as in $(\($0):{…}), if it is a push variable that not every device has"
        }
        guard missing.isEmpty else { return lines }
        let reads = properties.isEmpty ? "nothing" : properties.joined(separator: ", ")
        return lines + ["\(file): fine: a template for \(platform.rawValue) that reads \(reads)"]
    }

    /// Writes the findings as one JSON object.
    func write(to writer: inout JSONWriter) {
        writer.beginObject()
        writer.member("file", file)
        writer.member("platform", platform.rawValue)
        if let problem {
            writer.member("code", problem.code.rawValue)
            writer.member("path", problem.path)
            writer.member("message", problem.message)
        }
        writer.member("warnings", warnings)
        writer.member("properties", properties)
        writer.member("missing", missing)
        writer.endObject()
    }
}
