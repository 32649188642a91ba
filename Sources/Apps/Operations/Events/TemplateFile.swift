package import NewsflashStrictJSON
package import NotificationHubs

/// A file with the body of a template, parsed by the rules of the hub.
package struct TemplateFile: Sendable {
    /// The path as given.
    package let name: String
    package let platform: PushPlatform
    /// The template, or why the hub would refuse it.
    package let template: Result<NotificationTemplate, TemplateError>

    /// Parses a template.
    ///
    /// - Parameters:
    ///   - name: The path of the file.
    ///   - bytes: The body in UTF-8. Invalid bytes are replaced, which the output shows.
    ///   - platform: The platform of the devices that register it.
    package init(name: String, bytes: [UInt8], platform: PushPlatform) {
        self.name = name
        self.platform = platform
        let body = String(decoding: bytes, as: UTF8.self)
        let description = TemplateDescription(body: body, headers: Self.headers(for: body, platform: platform))
        template = Result { () throws(TemplateError) in
            try NotificationTemplate(description, platform: platform)
        }
    }

    /// The headers that an app registers with the body. On Windows, JSON can only be a raw notification, which needs a header.
    private static func headers(for body: String, platform: PushPlatform) -> [NamedValue] {
        guard body.first(where: { !$0.isWhitespace }) == "{" else { return [] }
        return switch platform {
        case .wns: [NamedValue("X-WNS-Type", WNSType.raw.rawValue)]
        case .mpns: [NamedValue("X-NotificationClass", "3")]
        default: []
        }
    }
}

/// The findings of `newsflash lint` in a device's template.
package struct TemplateFinding: Sendable {
    /// The file as given.
    package let file: String
    package let platform: PushPlatform
    /// Why the hub would refuse the template.
    package let problem: TemplateError?
    /// Mistakes that the hub accepts.
    package let warnings: [String]
    /// The properties that it reads, in lower case, sorted.
    package let properties: [String]
    /// The properties without a default that no send has; empty if the properties of sends are not known.
    package let missing: [String]

    /// Checks a template.
    ///
    /// - Parameters:
    ///   - file: The template.
    ///   - carried: The properties that every send has; `nil` if the configuration is invalid.
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

    /// Whether the hub refuses the template, or a property would be empty on devices.
    var isFaulty: Bool { problem != nil || !missing.isEmpty }

    /// The findings, a line each. If nothing is missing, the last line says that the template is fine.
    package var lines: [String] {
        if let problem { return ["\(file): \(problem)"] }
        var lines = warnings.map { "\(file): warning: \($0)" }
        lines += missing.map {
            "\(file): no send has the property \($0), so it is empty on the device: add it to 'send.properties'. If it "
                + "is a push variable that not every device has, give it a default in the template, as in $(\($0):{…})"
        }
        guard missing.isEmpty else { return lines }
        let reads = properties.isEmpty ? "nothing" : properties.joined(separator: ", ")
        return lines + ["\(file): fine: a template for \(platform.rawValue) that reads \(reads)"]
    }

    /// Writes the findings as one JSON object.
    package func write(to writer: inout JSONWriter) {
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
