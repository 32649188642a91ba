import NotificationHubs

enum PayloadCheck {
    enum F { case invalidSize, invalidFormat }
    static func fault(in b: [UInt8], headers: [NamedValue], for p: PushPlatform) -> F? { nil }
}
