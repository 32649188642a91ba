import NewsflashCommandLineArguments
import NewsflashOperations
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
    /// - Throws: ``OperationError`` if a file cannot be read.
    func read() throws(OperationError) -> [TemplateFile] {
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
