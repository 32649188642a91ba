import StrictJSON

/// Changes to parts of an installation, in the subset of JSON Patch (RFC 6902) that the hub knows
/// (https://learn.microsoft.com/rest/api/notificationhubs/update-installation).
///
/// `add` and `replace` set a text, a template, a tile or the map of headers; of tags `add` adds and `replace` replaces
/// all. A structure may come as JSON or as the text of its JSON, which is how the SDKs send it. To remove what is not
/// there is no error.
public struct InstallationPatch: Sendable {
    enum Operation: String {
        case add, replace, remove
    }

    struct Step {
        var operation: Operation
        /// Where the change is to be made, without escapes.
        var path: [String]
        var value: PlacedJSON?
        /// Where the step stands in the patch.
        var place: String
    }

    let steps: [Step]

    init(steps: [Step]) {
        self.steps = steps
    }

    /// Reads the body of a request.
    ///
    /// - Parameter body: A JSON array of operations.
    /// - Throws: ``DeviceError`` for what is no list of operations; values are looked at when they are applied.
    public init(reading body: [UInt8]) throws(DeviceError) {
        let value: JSONValue
        do throws(JSONError) {
            value = try JSONReader.read(body)
        } catch {
            throw DeviceError(.syntax, "The request body is not valid JSON: \(error.message).", at: error.path)
        }
        guard let operations = value.array else {
            throw DeviceError(.wrongType, "The changes to an installation have to be a JSON array.")
        }
        var steps: [Step] = []
        for (index, operation) in operations.enumerated() {
            steps.append(try Self.step(PlacedJSON(operation, at: "/\(index)")))
        }
        self.steps = steps
    }

    /// Changes an installation; all of the changes are made or none.
    ///
    /// - Parameter installation: Left as it is where one of the changes cannot be made.
    /// - Throws: ``DeviceError`` for the first change that cannot be made, or for a rule that the whole breaks.
    public func apply(to installation: inout Installation) throws(DeviceError) {
        var patched = PatchedInstallation(installation)
        for step in steps { try step.apply(to: &patched) }
        let changed = patched.whole
        try changed.check()
        installation = changed
    }

    private static func step(_ json: PlacedJSON) throws(DeviceError) -> Step {
        _ = try json.members("A change")
        guard let name = try json["op"]?.string("The member op") else {
            throw DeviceError(.missing, "A change has no op.", at: json.path + "/op")
        }
        guard let operation = Operation(rawValue: name.lowercased()) else {
            throw DeviceError(.invalidPatch, "The op of a change is add, remove or replace.", at: json.path + "/op")
        }
        guard let path = try json["path"]?.string("The member path") else {
            throw DeviceError(.missing, "A change has no path.", at: json.path + "/path")
        }
        let value = json["value"]
        guard value != nil || operation == .remove else {
            throw DeviceError(.missing, "A change has no value.", at: json.path + "/value")
        }
        return Step(operation: operation, path: JSONPointer.steps(of: path), value: value, place: json.path)
    }
}

extension JSONPointer {
    /// The steps of a pointer without their escapes. A slash at the beginning may be missing.
    fileprivate static func steps(of pointer: String) -> [String] {
        let steps = pointer.split(separator: "/", omittingEmptySubsequences: false)
        return (steps.first?.isEmpty == true ? steps.dropFirst() : steps[...]).map {
            String($0.replacing("~1", with: "/").replacing("~0", with: "~"))
        }
    }
}
