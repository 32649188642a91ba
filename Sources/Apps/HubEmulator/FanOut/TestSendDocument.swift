import NotificationHubs
import StrictXML

/// The response to a test send: its outcome on up to ten devices.
///
/// The order of the elements is that of the .NET SDK's data contract.
struct TestSendDocument {
    /// The maximum number of devices of a test send, picked at random.
    static let maximumDevices = 10

    var targets: [FanOut.Target]

    var xml: [UInt8] {
        var writer = XMLWriter()
        let successes = targets.count { $0.delivery.outcome == .success }
        writer.begin(
            "NotificationOutcome",
            ("xmlns", RegistrationXML.serviceNamespace),
            ("xmlns:i", RegistrationXML.instanceNamespace)
        )
        writer.element("Success", String(successes))
        writer.element("Failure", String(targets.count - successes))
        if targets.isEmpty {
            writer.empty("Results")
        } else {
            writer.begin("Results")
            for target in targets {
                let delivery = target.delivery
                let kind = SendProgress.TargetKind(platform: delivery.platform, isTemplate: target.isTemplate)
                writer.begin("RegistrationResult")
                writer.element("ApplicationPlatform", kind.name)
                writer.element("PnsHandle", delivery.handle)
                writer.element("RegistrationId", delivery.registrationID ?? "")
                writer.element("Outcome", delivery.outcome.sentence)
                writer.end("RegistrationResult")
            }
            writer.end("Results")
        }
        writer.end("NotificationOutcome")
        return writer.bytes
    }
}
