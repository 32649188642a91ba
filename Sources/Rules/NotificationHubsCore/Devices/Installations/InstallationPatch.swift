import StrictJSON

/// Changes to parts of an installation, in the subset of JSON Patch (RFC 6902) that the hub supports
/// (https://learn.microsoft.com/rest/api/notificationhubs/update-installation).
///
/// `add` and `replace` set a text, a template, a tile or the map of headers. For tags, `add` adds and `replace` replaces all.
/// A structured value may be JSON or a string of JSON, as sent by the SDKs. Removing a missing value is not an error.
public struct InstallationPatch: Sendable {
    enum Operation: String {
        case add, replace, remove
    }

    struct Step {
        var operation: Operation
        /// The path of the changed value, without escapes.
        var path: [String]
        var value: PlacedJSON?
        /// The position of the step in the patch, for errors.
        var place: String
    }

    let steps: [Step]

    init(steps: [Step]) {
        self.steps = steps
    }

    /// Decodes a request body.
    ///
    /// - Parameter body: A JSON array of operations.
    /// - Throws: ``DeviceError`` if it is not a list of operations; values are checked when they are applied.
    public init(reading body: [UInt8]) throws(DeviceError) {
        let value: JSONValue
        do throws(JSONError) {
            value = try JSONReader.read(body)
        } catch {
            throw DeviceError(.syntax, "The request body is not valid JSON: \(error.message).", at: error.path)
        }
        guard let operations = value.array else {
            throw DeviceError(.wrongType, "The changes to an installation must be a JSON array.")
        }
        var steps: [Step] = []
        for (index, operation) in operations.enumerated() {
            steps.append(try Self.step(PlacedJSON(operation, at: "/\(index)")))
        }
        self.steps = steps
    }

    /// Applies all changes to an installation, or none.
    ///
    /// - Parameter installation: The installation; unchanged after an error.
    /// - Throws: ``DeviceError`` for the first change that fails, or if the result violates a rule.
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
            throw DeviceError(
                .invalidPatch,
                "The op of a change must be add, remove or replace.",
                at: json.path + "/op"
            )
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
    /// Returns the unescaped steps of a pointer. The leading slash is optional.
    fileprivate static func steps(of pointer: String) -> [String] {
        let steps = pointer.split(separator: "/", omittingEmptySubsequences: false)
        return (steps.first?.isEmpty == true ? steps.dropFirst() : steps[...]).map {
            String($0.replacing("~1", with: "/").replacing("~0", with: "~"))
        }
    }
}
