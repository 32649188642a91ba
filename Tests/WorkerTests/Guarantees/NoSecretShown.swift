import HubEmulator
import NotificationHubs

/// No key and no signature stands where people look.
struct NoSecretShown {
    private let secrets: [String]

    init(of hub: HubEmulator) {
        secrets = hub.rules.map(\.key.secretText) + ["SharedAccessKey=", "SharedAccessSignature sr", "sig="]
    }

    /// The texts that show one.
    func violations(in texts: [String]) -> [String] {
        texts.filter { text in secrets.contains { text.contains($0) } }
    }
}
