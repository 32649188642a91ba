import NewsflashHubRecordings
import NewsflashStrictJSON

/// Derives the writes to an installation from later reads of it.
struct InstallationSynthesis {
    let session: HubSession
    let id: String

    /// The members that the service adds and a client does not write.
    private static let readOnly: Set = ["pushChannelExpired", "expirationTime", "lastUpdate", "lastActiveOn"]
    /// The members that a patch can add and remove.
    private static let patchable: Set = ["userId", "tags", "templates", "secondaryTiles"]

    /// The installation after a write, taken from the next answer that contains it.
    func outcome(ofWriteAt index: Int) -> JSONValue {
        let later = session.calls[index...].filter { RecordedTarget($0.target).id == id }
        guard let shown = later.lazy.compactMap({ try? JSONReader.read($0.body) }).first else {
            return .object([
                .init(name: "installationId", value: .string(id)), .init(name: "platform", value: .string("apns")),
                .init(name: "pushChannel", value: .string(String(repeating: "00FC", count: 16))),
            ])
        }
        return Self.written(shown)
    }

    /// Whether the next call is a write too, with no read in between.
    static func isWritten(after index: Int, in session: HubSession) -> Bool {
        let next = session.calls.index(after: index)
        return next < session.calls.endIndex && session.calls[next].status == 200 && session.calls[next].body.isEmpty
    }

    /// The installation before a patch whose result is known. The session's name says what the patch removed or added.
    static func beforePatch(_ after: JSONValue, session name: String) -> JSONValue {
        var members = after.object ?? []
        func put(_ name: String, _ value: JSONValue) {
            members.removeAll { $0.name == name }
            members.append(.init(name: name, value: value))
        }
        if name.contains("RemoveUserId") {
            put("userId", .string("reader-1"))
        } else if name.contains("RemoveTag") {
            put("tags", .array((after[member: "tags"]?.array ?? []) + [.string("removed")]))
        } else if name.contains("RemoveTemplate") {
            let body = JSONMember(name: "body", value: .string(#"{"aps":{}}"#))
            put(
                "templates",
                .object((after[member: "templates"]?.object ?? []) + [.init(name: "removed", value: .object([body]))])
            )
        } else {
            members.removeAll { patchable.contains($0.name) }
        }
        return .object(members)
    }

    /// The patch that turns one state into another.
    static func patch(from before: JSONValue, to after: JSONValue) -> [UInt8] {
        var operations: [JSONValue] = []
        func add(_ op: String, _ path: String, _ value: String? = nil) {
            var members = [JSONMember(name: "op", value: .string(op)), JSONMember(name: "path", value: .string(path))]
            if let value { members.append(JSONMember(name: "value", value: .string(value))) }
            operations.append(.object(members))
        }
        for name in ["pushChannel", "userId"] where before[member: name] != after[member: name] {
            let value = after[member: name]?.string
            add(value == nil ? "remove" : before[member: name] == nil ? "add" : "replace", "/" + name, value)
        }
        let (old, new) = (strings(before[member: "tags"]), strings(after[member: "tags"]))
        for tag in new where !old.contains(tag) { add("add", "/tags", tag) }
        for tag in old where !new.contains(tag) { add("remove", "/tags/" + tag) }
        for name in ["templates", "secondaryTiles"] {
            let (old, new) = (before[member: name]?.object ?? [], after[member: name]?.object ?? [])
            for member in new where !old.contains(member) {
                // A value that is an object is sent as text.
                add("add", "/\(name)/\(member.name)", String(decoding: bytes(member.value), as: UTF8.self))
            }
            for member in old where !new.contains(where: { $0.name == member.name }) {
                add("remove", "/\(name)/\(member.name)")
            }
        }
        return bytes(.array(operations))
    }

    static func bytes(_ value: JSONValue) -> [UInt8] {
        var writer = JSONWriter()
        writer.value(value)
        return writer.bytes
    }

    /// The client's document for an installation as read: without the members that the service adds, and without a
    /// template's name among its tags.
    private static func written(_ shown: JSONValue) -> JSONValue {
        let members = (shown.object ?? []).filter { !readOnly.contains($0.name) }
        return .object(
            members.map { member in
                guard member.name == "templates" else { return member }
                let templates = (member.value.object ?? []).map { template in
                    JSONMember(name: template.name, value: withoutName(template))
                }
                return JSONMember(name: member.name, value: .object(templates))
            }
        )
    }

    private static func withoutName(_ template: JSONMember) -> JSONValue {
        .object(
            (template.value.object ?? []).compactMap { member in
                guard member.name == "tags" else { return member }
                let tags = strings(member.value).filter { $0 != template.name }
                return tags.isEmpty ? nil : JSONMember(name: "tags", value: .array(tags.map { .string($0) }))
            }
        )
    }

    private static func strings(_ value: JSONValue?) -> [String] {
        value?.array?.compactMap(\.string) ?? []
    }
}
