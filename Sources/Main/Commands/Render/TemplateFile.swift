import CommandLineArguments
import NotificationHubs

/// `--template` and `--platform`, for commands that show or check what devices registered.
struct TemplateOptions: ParsableArguments {
    @Option(help: ArgumentHelp("The body of a device's template; may be given more than once.", valueName: "file"))
    var template: [String] = []

    @Option(help: ArgumentHelp("The platform of the devices with the template.", valueName: "platform"))
    var platform: PushPlatform = .apns

    /// Reads the files.
    ///
    /// - Returns: In the order given; a file that holds no template is one of them, with its fault.
    /// - Throws: ``CommandError`` that names a file that cannot be read.
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

/// A file with the body of a template, held to the rules of the hub.
struct TemplateFile: Sendable {
    /// As it was given.
    let name: String
    let platform: PushPlatform
    /// The template, or why the hub would refuse it.
    let template: Result<NotificationTemplate, TemplateError>

    /// Reads a template.
    ///
    /// - Parameters:
    ///   - name: The file's.
    ///   - bytes: The body in UTF-8; what is not is replaced, and is seen in what is shown.
    ///   - platform: Of the devices that register it.
    init(name: String, bytes: [UInt8], platform: PushPlatform) {
        self.name = name
        self.platform = platform
        let body = String(decoding: bytes, as: UTF8.self)
        let description = TemplateDescription(body: body, headers: Self.headers(for: body, platform: platform))
        template = Result { () throws(TemplateError) in
            try NotificationTemplate(description, platform: platform)
        }
    }

    /// With Windows, JSON can only be a raw notification, which an app says in a header beside the body.
    private static func headers(for body: String, platform: PushPlatform) -> [NamedValue] {
        guard body.first(where: { !$0.isWhitespace }) == "{" else { return [] }
        return switch platform {
        case .wns: [NamedValue("X-WNS-Type", WNSType.raw.rawValue)]
        case .mpns: [NamedValue("X-NotificationClass", "3")]
        default: []
        }
    }
}
