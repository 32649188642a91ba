import NewsflashHTTPTransport
import NewsflashStrictXML
import NotificationHubs

/// The state that a hub reports about itself and its devices.
struct KeptHubSnapshot {
    var name: String
    var life: String?
    /// The policies and keys with their times, as text.
    var rules: String
    var registrations: [Registration] = []
    /// The installations by id in lower case.
    var installations: [String: Installation] = [:]

    /// Queries everything about a hub.
    ///
    /// - Returns: `nil` if the hub does not exist.
    static func read(_ name: String, of process: KeptHubProcess) async throws -> KeptHubSnapshot? {
        let answer = try await process.read("/\(name)?api-version=2017-04")
        let entry = try XMLReader.read(answer.body)
        guard let description = entry.first("content")?.first("NotificationHubDescription") else { return nil }
        var snapshot = KeptHubSnapshot(
            name: entry.first("title")?.text ?? "",
            life: description.first("RegistrationTtl")?.text,
            rules: description.first("AuthorizationRules").map { "\($0)" } ?? ""
        )
        // The hub's own key has to give access, too.
        let rule = description.first("AuthorizationRules")?.elements
            .first { $0.first("KeyName")?.text == "DefaultFullSharedAccessSignature" }
        let key = SharedAccessKey(rule?.first("PrimaryKey")?.text ?? "")
        var token: String?
        repeat {
            let next = token.map { "&ContinuationToken=\($0)" } ?? ""
            let page = try await process.read("/\(name)/registrations?api-version=2020-06\(next)", key: key)
            let entries = String(decoding: page.body, as: UTF8.self).split(
                separator: "<content type=\"application/xml\">"
            )
            for entry in entries.dropFirst() {
                guard let end = entry.firstRange(of: "</content>") else { continue }
                snapshot.registrations.append(try RegistrationXML.readAnswer(Array(entry[..<end.lowerBound].utf8)))
            }
            token = page.headers["x-ms-continuationtoken"]
        } while token != nil
        for id in Set(RandomKeptHubSteps.installations.map { $0.lowercased() }) {
            let answer = try await process.read("/\(name)/installations/\(id)?api-version=2020-06", status: [200, 404])
            if answer.status == 200 { snapshot.installations[id] = try InstallationJSON.readAnswer(answer.body) }
        }
        return snapshot
    }
}

extension KeptNamespaceModel {
    /// Compares with a hub's answers, and adopts the values that only the hub decides.
    ///
    /// - Returns: The differences.
    mutating func differences(from snapshot: KeptHubSnapshot?, of key: String) -> [String] {
        guard var hub = hubs[key] else { return snapshot == nil ? [] : ["\(key): is there, and should not be"] }
        guard let snapshot else { return ["\(key): is gone"] }
        defer { hubs[key] = hub }
        return hub.differences(from: snapshot).map { "\(key): \($0)" }
    }
}

extension KeptNamespaceModel.Hub {
    fileprivate mutating func differences(from snapshot: KeptHubSnapshot) -> [String] {
        var found: [String] = []
        if name != snapshot.name { found.append("name \(name), found \(snapshot.name)") }
        let life = days.map { "P\($0)D" } ?? RegistrationLife.never
        if life != snapshot.life { found.append("life \(life), found \(snapshot.life ?? "none")") }
        if let rules, rules != snapshot.rules { found.append("rules\n\(rules)\nfound\n\(snapshot.rules)") }
        rules = snapshot.rules
        found += installationDifferences(from: snapshot.installations)
        found += deviceDifferences(from: snapshot.registrations)
        return found
    }

    private mutating func installationDifferences(from snapshot: [String: Installation]) -> [String] {
        var found: [String] = []
        for id in Set(installations.keys).union(snapshot.keys).sorted() {
            guard let seen = snapshot[id] else {
                found.append("installation \(id) is gone")
                continue
            }
            guard var kept = installations[id] else {
                found.append("installation \(id) should not be there")
                continue
            }
            kept.installation.expiration = seen.expiration
            if !kept.end.adopt(seen.expiration) { found.append("installation \(id) ends \(seen.expiration as Any)") }
            installations[id] = kept
            let (text, seenText) = (kept.installation.text, seen.text)
            if !text.utf8.elementsEqual(seenText.utf8) { found.append("installation\n\(text)\nfound\n\(seenText)") }
        }
        return found
    }

    private mutating func deviceDifferences(from snapshot: [Registration]) -> [String] {
        var found: [String] = []
        var left = Dictionary(snapshot.map { ($0.id, $0) }) { first, _ in first }
        if left.count != snapshot.count { found.append("a registration is listed twice") }
        // Devices with known ids come first, so that fewer candidates are left for the others.
        for index in devices.indices.sorted(by: { devices[$0].id != nil && devices[$1].id == nil }) {
            var device = devices[index]
            // Of spellings that differ in case, a registration has the first.
            device.description.tags = device.description.tags.folded
            let match =
                device.id.map { left[$0] } ?? left.values.first { device.text(as: $0).hasSameBytes(as: $0.text) }
            guard let match else {
                found.append("registration \(device.id ?? "of \(device.description.channel)") is gone")
                continue
            }
            left[match.id] = nil
            device.id = match.id
            if !device.end.adopt(match.expiration) { found.append("\(match.id) ends \(match.expiration as Any)") }
            devices[index] = device
            let (text, seen) = (device.text(as: match), match.text)
            if !text.hasSameBytes(as: seen) { found.append("registration\n\(text)\nfound\n\(seen)") }
        }
        return found + left.values.map { "registration should not be there:\n\($0.text)" }
    }
}

extension KeptNamespaceModel.Device {
    /// Returns the text that the hub has to show, with the values that only the hub decides taken from the seen text.
    fileprivate func text(as seen: Registration) -> String {
        Registration(id: id ?? seen.id, etag: etag, expiration: seen.expiration, description: description).text
    }
}

extension Registration {
    fileprivate var text: String {
        var writer = XMLWriter()
        RegistrationXML.write(self, to: &writer, for: .answerToRead)
        return String(decoding: writer.bytes, as: UTF8.self)
    }
}

extension Installation {
    fileprivate var text: String { String(decoding: InstallationJSON.write(self), as: UTF8.self) }
}

extension String {
    fileprivate func hasSameBytes(as other: String) -> Bool { utf8.elementsEqual(other.utf8) }
}

/// The rules of a new hub.
private enum RegistrationLife {
    static let never = "P10675199DT2H48M5.4775807S"
}
