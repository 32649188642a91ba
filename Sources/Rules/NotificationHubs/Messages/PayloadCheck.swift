public import NotificationHubsCore
import StrictJSON
import StrictXML

/// Whether a platform takes a payload: its size and the least that its form must be.
public enum PayloadCheck {
    /// Checks a payload.
    ///
    /// - Parameters:
    ///   - payload: What the push service is to get.
    ///   - headers: What goes with it, such as `X-WNS-Type`; names ignore case.
    ///   - platform: Where it goes.
    /// - Returns: The first fault; nothing where the platform takes it.
    public static func fault(
        in payload: [UInt8],
        headers: [NamedValue] = [],
        for platform: PushPlatform
    ) -> PayloadFault? {
        let limit = platform.maximumPayloadBytes(headers: headers)
        guard payload.count <= limit else {
            let words = "the payload has \(payload.count) bytes, \(platform.rawValue) takes at most \(limit)"
            return PayloadFault(kind: .invalidSize, message: words)
        }
        let words =
            switch platform {
            case .wns: windowsFault(in: payload, headers)
            case .mpns: windowsPhoneFault(in: payload, headers)
            case .apns, .fcmv1, .gcm, .adm, .baidu, .browser, .xiaomi: jsonFault(in: payload, platform)
            }
        return words.map { PayloadFault(kind: .invalidFormat, message: $0) }
    }

    /// The fault of a notification that was made only as far as no platform would take it.
    ///
    /// - Parameters:
    ///   - bound: How many bytes were made of the payload or the headers, whichever was too long.
    ///   - headers: What goes with it.
    ///   - platform: Where it goes.
    /// - Returns: That it is too large.
    package static func fault(ofMoreThan bound: Int, headers: [NamedValue], for platform: PushPlatform) -> PayloadFault
    {
        let limit = platform.maximumPayloadBytes(headers: headers)
        let words = "payload or headers have more than \(bound) bytes, \(platform.rawValue) takes at most \(limit)"
        return PayloadFault(kind: .invalidSize, message: words)
    }

    private static func jsonFault(in payload: [UInt8], _ platform: PushPlatform) -> String? {
        let value: JSONValue
        do throws(JSONError) {
            value = try JSONReader.read(payload)
        } catch {
            return "the payload is not JSON: \(error.code.rawValue) at byte \(error.offset)"
        }
        guard value.object != nil else { return "the payload is no JSON object" }
        return platform == .fcmv1 ? FirebaseMessage.faults(in: value).first : nil
    }

    private static func windowsFault(in payload: [UInt8], _ headers: [NamedValue]) -> String? {
        let header = headers.value(of: WindowsTemplateRules.wnsType) ?? WNSType(ofBody: payload).rawValue
        guard let type = WNSType(rawValue: header.lowercased()) else {
            return "X-WNS-Type is none of \(WNSType.allCases.map(\.rawValue).joined(separator: ", "))"
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
