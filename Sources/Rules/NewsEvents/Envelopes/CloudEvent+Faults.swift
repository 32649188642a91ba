import ASCII
import StrictJSON

/// Messages about faults of records that look like CloudEvents; they name the remedy.
extension CloudEvent {
    /// Returns the reason why attributes are not those of a CloudEvent.
    ///
    /// - Parameters:
    ///   - prefix: The prefix of the attributes' names, such as `ce_` in headers.
    ///   - attribute: Returns the text of an attribute.
    /// - Returns: The fault; `nil` if the attributes are valid.
    static func fault(prefix: String = "", in attribute: (String) -> String?) -> String? {
        if let version = attribute("specversion"), version != "1.0" {
            return "\(prefix)specversion: only CloudEvents 1.0 is supported, not \(version.printable(limit: 16))"
        }
        let missing = ["id", "source", "type", "specversion"].filter { attribute($0) == nil }.map { prefix + $0 }
        return missing.isEmpty ? nil : "a CloudEvent has no \(missing.joined(separator: ", "))"
    }

    /// Returns why headers that look like attributes are ignored; `nil` if such headers are absent, or all are valid.
    static func fault(inHeaders headers: [EventHeader]) -> String? {
        if headers.contains(where: { $0.name.hasPrefix("ce_") }) {
            return fault(prefix: "ce_") { headers.text("ce_" + $0) }.map { "\($0), so no ce_ header was read" }
        }
        // `ce-id` is a header of HTTP.
        let header = headers.first { ["ce_", "ce-"].contains($0.name.prefix(3).lowercased()) }
        guard let name = header?.name.printable(limit: 32) else { return nil }
        return "\(name) is ignored: in Kafka the attributes of a CloudEvent are ce_id, ce_source and so on"
    }

    /// Returns the message about a structured CloudEvent that is not one event in JSON.
    static func unsupportedForm(_ headers: [EventHeader]) -> String {
        let isBatch = headers.contains { header in
            guard header.name.isEqualIgnoringASCIICase(to: "content-type"), let value = header.value else {
                return false
            }
            return String(decoding: value, as: UTF8.self).lowercasedASCII.hasPrefix("application/cloudevents-batch")
        }
        return isBatch
            ? "a batch of CloudEvents is not supported: send each as a separate record"
            : "the only structured form supported is application/cloudevents+json: send that, or binary mode with JSON"
    }

    /// Whether a document is an array of envelopes.
    static func isBatch(_ document: JSONValue) -> Bool { document.array?.first.map(isEnvelope) ?? false }

    /// The text to add to the fault of such an array.
    static let batchHint = "; send each CloudEvent of a batch as a separate record"
}

extension DecodeOutcome {
    /// Adds to a rejection why the record's headers were ignored, because they may contain the missing members.
    func explained(byHeaders headers: [EventHeader]) -> DecodeOutcome {
        guard case .rejected(var rejection) = self, rejection.reason == .schema,
            let fault = CloudEvent.fault(inHeaders: headers)
        else { return self }
        rejection.detail = String(rejection.detail.prefix(1024 - fault.utf8.count - 2)) + "; " + fault
        return .rejected(rejection)
    }
}
