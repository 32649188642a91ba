import NewsflashStrictJSON
import NewsflashStrictXML
package import NotificationHubsCore

/// Checks a payload against a platform's limits: its size and its basic form.
package enum PayloadCheck {
    /// Checks a payload.
    ///
    ///   - payload: The payload for the push service.
    ///   - headers: The headers of the payload, for example `X-WNS-Type`; names ignore case.
    ///   - platform: The platform.
    /// - Returns: The first fault, or `nil` if the platform accepts the payload.
    package static func fault(
        in payload: [UInt8],
        headers: [NamedValue] = [],
        for platform: PushPlatform
    ) -> PayloadFault? {
        let limit = platform.maximumPayloadBytes(headers: headers)
        guard payload.count <= limit else {
            let words = "the payload has \(payload.count) bytes; \(platform.rawValue) accepts at most \(limit)"
            return PayloadFault(kind: .invalidSize, message: words)
        }
        let words =
            switch platform {
            case .wns: windowsFault(in: payload, headers)
            case .mpns: windowsPhoneFault(in: payload, headers)
            default: jsonFault(in: payload, platform)
            }
        return words.map { PayloadFault(kind: .invalidFormat, message: $0) }
    }

    /// Returns the fault of a notification whose rendering stopped because it was too large for every platform.
    ///
    /// - Parameters:
    ///   - bound: The size in bytes at which rendering stopped, of the payload or of the headers.
    ///   - headers: The headers of the payload.
    ///   - platform: The platform.
    /// - Returns: An ``PayloadFault/Kind/invalidSize`` fault.
    package static func fault(ofMoreThan bound: Int, headers: [NamedValue], for platform: PushPlatform) -> PayloadFault
    {
        let limit = platform.maximumPayloadBytes(headers: headers)
        let words = "payload or headers have more than \(bound) bytes; \(platform.rawValue) accepts at most \(limit)"
        return PayloadFault(kind: .invalidSize, message: words)
    }

    private static func jsonFault(in payload: [UInt8], _ platform: PushPlatform) -> String? {
        let value: JSONValue
        do throws(JSONError) {
            value = try JSONReader.read(payload)
        } catch {
            return "the payload is not JSON: \(error.code.rawValue) at byte \(error.offset)"
        }
        guard value.object != nil else { return "the payload is not a JSON object" }
        return platform == .fcmv1 ? FirebaseMessage.faults(in: value).first : nil
    }

    private static func windowsFault(in payload: [UInt8], _ headers: [NamedValue]) -> String? {
        let header = headers.value(of: WindowsTemplateRules.wnsType) ?? WNSType(ofBody: payload).rawValue
        guard let type = WNSType(rawValue: header.lowercased()) else {
            return "X-WNS-Type must be one of \(WNSType.allCases.map(\.rawValue).joined(separator: ", "))"
        }
        guard type != .raw else { return nil }
        return xmlFault(in: payload) { root in
            WNSType(root: root.name) == type ? nil : "the root element does not fit X-WNS-Type \(type.rawValue)"
        }
    }

    private static func windowsPhoneFault(in payload: [UInt8], _ headers: [NamedValue]) -> String? {
        // Raw notifications have no target.
        guard let target = headers.value(of: WindowsTemplateRules.phoneTarget) else { return nil }
        return xmlFault(in: payload) { root in
            WindowsPhoneKind(root: root)?.target == target.lowercased()
                ? nil : "the payload does not fit X-WindowsPhone-Target"
        }
    }

    private static func xmlFault(in payload: [UInt8], check: (XMLElement) -> String?) -> String? {
        do throws(XMLError) {
            return check(try XMLReader.read(payload))
        } catch {
            return "the payload is not XML: line \(error.line), column \(error.column)"
        }
    }
}

extension PushPlatform {
    /// Returns the maximum size of a payload with the given headers: Apple allows more for VoIP pushes.
    ///
    /// - Parameter headers: The headers of the payload.
    /// - Returns: The size in bytes; ``maximumPayloadBytes`` except for VoIP pushes.
    package func maximumPayloadBytes(headers: [NamedValue]) -> Int {
        let isCall = self == .apns && headers.value(of: "apns-push-type")?.lowercased() == "voip"
        return isCall ? 5120 : maximumPayloadBytes
    }
}

/// The reason why a push service rejects a payload. The hub has accepted the send by then, so the fault appears only in
/// telemetry and test sends.
package struct PayloadFault: Error, Sendable, Hashable, CustomStringConvertible {
    /// The outcome of the notification, as in telemetry.
    package enum Kind: String, Sendable, CaseIterable {
        /// The payload exceeds the platform's limit.
        case invalidSize = "InvalidNotificationSize"
        /// The platform cannot decode the payload.
        case invalidFormat = "InvalidNotificationFormat"
    }

    /// The outcome.
    package let kind: Kind
    /// The fault; contains names from the payload, but no other text of it.
    package let message: String

    /// The message, followed by the outcome.
    package var description: String { "\(message) [\(kind.rawValue)]" }
}
