import FoundationEssentials
import NewsflashStrictJSON
import NewsflashTestSupport

/// A recorded session with the real service: the calls of one test of an SDK.
package struct HubSession: Sendable {
    /// Folder and file, such as `dotnet/CreateRegistrationIdAsync_CallMethod_GetRegistrationId.http`.
    package let name: String
    /// The calls in their order.
    package let calls: [HubRecording]

    /// Makes a session.
    ///
    /// - Parameters:
    ///   - name: The name of a file for the session.
    ///   - calls: The calls in their order.
    package init(name: String, calls: [HubRecording]) {
        self.name = name
        self.calls = calls
    }

    /// Reads a session.
    ///
    /// - Parameter name: One of ``names``.
    /// - Throws: ``HubSessionError`` if the file is missing or has another form.
    package init(named name: String) throws {
        let document = try Self.document(name)
        if let calls = document[member: "HttpCalls"]?.array {
            self.init(name: name, calls: calls.map { HubRecording(dotnet: $0) })
        } else if let entries = document[member: "Entries"]?.array {
            self.init(name: name, calls: entries.map { HubRecording(javaScript: $0) })
        } else {
            throw HubSessionError(name: name)
        }
    }

    /// All recorded sessions, sorted; empty if the folder with recordings is missing.
    package static var names: [String] {
        [("dotnet", ".http"), ("js", ".json")].flatMap { folder, suffix in
            let files = (try? FileManager.default.contentsOfDirectory(atPath: Self.folder + "/" + folder)) ?? []
            return files.filter { $0.hasSuffix(suffix) }.sorted().map { folder + "/" + $0 }
        }
    }

    /// The folder of the recordings: in the shared data, otherwise the one that `.ci/fetch-recordings` fills.
    private static let folder: String = {
        let shared = SharedData.folder.map { "\($0.path)/data/hub-recordings" }
        if let shared, FileManager.default.fileExists(atPath: shared) { return shared }
        let checkout = #filePath.split(separator: "/", omittingEmptySubsequences: false).dropLast(4)
        return checkout.joined(separator: "/") + "/artifacts/hub-recordings"
    }()

    private static func document(_ name: String) throws -> JSONValue {
        guard let data = FileManager.default.contents(atPath: folder + "/" + name) else {
            throw HubSessionError(name: name)
        }
        let bytes = [UInt8](data)
        let text = bytes.starts(with: [0xEF, 0xBB, 0xBF]) ? Array(bytes.dropFirst(3)) : bytes
        return try JSONReader.read(withoutTrailingCommas(text))
    }

    /// Some recordings were edited by hand and end a list with a comma.
    private static func withoutTrailingCommas(_ text: [UInt8]) -> [UInt8] {
        var result: [UInt8] = []
        result.reserveCapacity(text.count)
        var isInString = false
        var index = text.startIndex
        while index < text.endIndex {
            let byte = text[index]
            if isInString, byte == UInt8(ascii: "\\"), index + 1 < text.endIndex {
                result += [byte, text[index + 1]]
                index += 2
                continue
            }
            if byte == UInt8(ascii: "\"") { isInString.toggle() }
            let next = text[(index + 1)...].first { !" \t\r\n".utf8.contains($0) }
            let isTrailing =
                byte == UInt8(ascii: ",") && !isInString && (next == UInt8(ascii: "}") || next == UInt8(ascii: "]"))
            if !isTrailing { result.append(byte) }
            index += 1
        }
        return result
    }
}

/// A session that is missing or has another form.
package struct HubSessionError: Error, CustomStringConvertible {
    let name: String

    /// A text that names the file and the remedy.
    package var description: String {
        "no recorded session \(name), or not in the form of the SDK's tests; see .ci/fetch-recordings"
    }
}

extension HubRecording {
    fileprivate init(dotnet call: JSONValue) {
        self.init(
            target: call[member: "RequestUriPath"]?.string ?? "",
            status: call[member: "StatusCode"]?.int64.map(Int.init) ?? 0,
            headers: Self.headers(call[member: "Headers"]) + Self.headers(call[member: "ContentHeaders"]),
            body: Self.body(call[member: "Content"])
        )
    }

    fileprivate init(javaScript entry: JSONValue) {
        let url = entry[member: "RequestUri"]?.string ?? ""
        self.init(
            target: "/" + url.split(separator: "/", maxSplits: 2).dropFirst(2).joined(),
            request: Request(
                method: entry[member: "RequestMethod"]?.string ?? "",
                headers: Self.headers(entry[member: "RequestHeaders"]),
                body: Self.body(entry[member: "RequestBody"])
            ),
            status: entry[member: "StatusCode"]?.int64.map(Int.init) ?? 0,
            headers: Self.headers(entry[member: "ResponseHeaders"]),
            body: Self.body(entry[member: "ResponseBody"])
        )
    }

    private static func headers(_ value: JSONValue?) -> [(name: String, value: String)] {
        (value?.object ?? []).map { ($0.name, $0.value.string ?? "") }
    }

    /// Some recordings contain a JSON body as text, others as JSON.
    private static func body(_ value: JSONValue?) -> String {
        switch value {
        case nil, .null: return ""
        case .string(let text): return text
        case .some(let value):
            var writer = JSONWriter()
            writer.value(value)
            return String(decoding: writer.bytes, as: UTF8.self)
        }
    }
}
