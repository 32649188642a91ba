import FoundationEssentials
import StrictJSON

/// One recorded answer of the real service.
package struct HubRecording: Sendable {
    /// Path and query that were asked.
    package var target: String
    /// The status code.
    package var status: Int
    /// Name and value of each header of the answer, in no certain order.
    package var headers: [(name: String, value: String)]
    /// The body; empty for none.
    package var body: String

    /// The value of a header, by its name without regard to case.
    package subscript(name: String) -> String? {
        headers.first { $0.name.lowercased() == name.lowercased() }?.value
    }

    /// Whether the recordings are at hand: `NEWSFLASH_SHARED`, or `shared` beside the checkout.
    package static var areAvailable: Bool {
        FileManager.default.fileExists(atPath: folder + "/dotnet")
    }

    /// The answers of one session of the .NET SDK's tests.
    ///
    /// - Parameter test: The beginning of the file's name, up to its second underscore or further.
    /// - Returns: In the order of the calls.
    /// - Throws: Where there is no such file or it is not of the form.
    package static func dotnet(_ test: String) throws -> [HubRecording] {
        let files = try FileManager.default.contentsOfDirectory(atPath: folder + "/dotnet").sorted()
        guard let file = files.first(where: { $0.hasPrefix(test) }) else { throw Missing(what: test) }
        let calls = try read("/dotnet/" + file)[member: "HttpCalls"]?.array ?? []
        return calls.map { call in
            HubRecording(
                target: call[member: "RequestUriPath"]?.string ?? "",
                status: call[member: "StatusCode"]?.int64.map(Int.init) ?? 0,
                headers: headers(call[member: "Headers"]) + headers(call[member: "ContentHeaders"]),
                body: call[member: "Content"]?.string ?? ""
            )
        }
    }

    /// The names of all files of the .NET SDK's tests.
    static func dotnetSessions() throws -> [String] {
        try FileManager.default.contentsOfDirectory(atPath: folder + "/dotnet").sorted()
    }

    /// The answer to a send of the JavaScript SDK, recorded in December 2022.
    ///
    /// - Returns: The one answer of the session.
    /// - Throws: Where the file is not of the form.
    package static func javaScriptSend() throws -> HubRecording {
        let document = try read("/js/send-tag-expression-apple.json")
        guard let entry = document[member: "Entries"]?.array?.first else { throw Missing(what: "Entries") }
        return HubRecording(
            target: entry[member: "RequestUri"]?.string ?? "",
            status: entry[member: "StatusCode"]?.int64.map(Int.init) ?? 0,
            headers: headers(entry[member: "ResponseHeaders"]),
            body: entry[member: "ResponseBody"]?.string ?? ""
        )
    }

    private static var folder: String {
        let checkout = #filePath.split(separator: "/", omittingEmptySubsequences: false).dropLast(4)
        let shared =
            ProcessInfo.processInfo.environment["NEWSFLASH_SHARED"]
            ?? checkout.dropLast().joined(separator: "/") + "/shared"
        return shared + "/data/hub-recordings"
    }

    private static func read(_ file: String) throws -> JSONValue {
        guard let data = FileManager.default.contents(atPath: folder + file) else { throw Missing(what: file) }
        var bytes = [UInt8](data)
        if bytes.starts(with: [0xEF, 0xBB, 0xBF]) { bytes.removeFirst(3) }
        // One of the files has a comma too many, which its SDK does not mind.
        let text = String(decoding: bytes, as: UTF8.self)
        return try JSONReader.read(text.replacing(/,(?=\s*[}\]])/, with: ""))
    }

    private static func headers(_ value: JSONValue?) -> [(name: String, value: String)] {
        (value?.object ?? []).map { ($0.name, $0.value.string ?? "") }
    }

    private struct Missing: Error {
        var what: String
    }
}
