import NotificationHubs
enum PayloadCheck { enum F { case invalidSize, invalidFormat }
 static func fault(in b: [UInt8], headers: [NamedValue], for p: PushPlatform) -> F? { nil } }
extension Installation { func registrations() -> [RegistrationDescription] { [] } }
struct InstallationPatch { func apply(to: inout Installation) throws(DeviceError) {} }
struct DeviceError: Error { var message = "" }
enum InstallationJSON { static func write(_ i: Installation) -> [UInt8] { [] } 
 static func read(_ b: [UInt8], id: String) throws(DeviceError) -> Installation { throw DeviceError() } }
