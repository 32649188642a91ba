import CommandLineArguments
import NotificationHubs

/// `--template` and `--platform`, for commands that show or check the templates of devices.
struct TemplateOptions: ParsableArguments {
    @Option(help: ArgumentHelp("A file with the body of a device's template.", valueName: "file"))
    var template: [String] = []

    @Option(help: ArgumentHelp("The platform of the devices with the template.", valueName: "platform"))
    var platform: PushPlatform = .apns

    /// Reads the files.
    ///
    /// - Returns: The files in the given order, including those whose template is invalid.
    /// - Throws: ``CommandError`` if a file cannot be read.
    func read() throws(CommandError) -> [TemplateFile] {
        var files: [TemplateFile] = []
        for name in template {
            files.append(TemplateFile(name: name, bytes: try EventFiles.content(of: name), platform: platform))
        }
        return files
    }
}

extension PushPlatform: ExpressibleByArgument {
    /// Reads a platform's name in any case.
    package init?(argument: String) { self.init(name: argument) }
}

/// A file with the body of a template, parsed by the rules of the hub.
struct TemplateFile: Sendable {
    /// The path as given.
    let name: String
    let platform: PushPlatform
    /// The template, or why the hub would refuse it.
    let template: Result<NotificationTemplate, TemplateError>

    /// Parses a template.
    ///
    /// - Parameters:
    ///   - name: The path of the file.
    ///   - bytes: The body in UTF-8. Invalid bytes are replaced, which the output shows.
    ///   - platform: The platform of the devices that register it.
    init(name: String, bytes: [UInt8], platform: PushPlatform) {
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
