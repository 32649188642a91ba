import Timestamps
import NotificationHubs
enum PayloadCheck { enum F { case invalidSize, invalidFormat }
 static func fault(in b: [UInt8], headers: [NamedValue], for p: PushPlatform) -> F? { nil } }
extension Installation { func registrations() -> [RegistrationDescription] { [] } }
struct InstallationPatch { init(reading: [UInt8]) throws(DeviceError) {}; func apply(to: inout Installation) throws(DeviceError) {} }
enum InstallationJSON { static func write(_ i: Installation) -> [UInt8] { [] } 
 static func read(_ b: [UInt8], id: String) throws(DeviceError) -> Installation { fatalError() } }
struct AtomEntry { enum P {case answerToWrite, read}; init(registration: Registration, url: String, purpose: P, now: Timestamp) {}; var xml: [UInt8] { [] } }
struct ChannelFilter { init(parsing: String) throws(DeviceError) {}; var handle = ""; func matches(_: PushChannel) -> Bool { true } }
