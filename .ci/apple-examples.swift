// The names that the examples of NewsSubscriptions use: those of the app, and Apple's.
// `.ci/apple-floor` compiles each example with this file, as a separate function.

import NewsflashHTTPTransport
import NewsSubscriptions

// Not in the library that is compiled there, because it needs Foundation.
struct URLSessionTransport: HTTPTransport {
    init(timeout: Duration = .seconds(30)) {}
    func start(_ exchanges: [HTTPExchange], receiver: any HTTPResultReceiver) {}
}
struct FileSubscriptionStorage: SubscriptionStorage {
    init(path: String) {}
    func strings(forKey key: String) throws(SubscriptionError) -> [String]? { nil }
    func store(_ strings: [String]?, forKey key: String) throws(SubscriptionError) {}
}
struct UserDefaultsSubscriptionStorage: SubscriptionStorage {
    init(_ defaults: UserDefaults = .standard) {}
    func strings(forKey key: String) throws(SubscriptionError) -> [String]? { nil }
    func store(_ strings: [String]?, forKey key: String) throws(SubscriptionError) {}
}

// Apple's.
struct UserDefaults: Sendable {
    static let standard = UserDefaults()
    init() {}
    init?(suiteName: String) {}
}
typealias Data = [UInt8]
func NSHomeDirectory() -> String { "" }
struct UIApplication {}
struct UIDevice {
    struct Identifier { var uuidString = "" }
    static let current = UIDevice()
    var identifierForVendor: Identifier? { nil }
}
enum ScenePhase: Sendable { case active, background }
struct ContentView {
    func onChange(of phase: ScenePhase, _ action: @escaping @Sendable (ScenePhase, ScenePhase) -> Void) {}
    func task(_ action: @escaping @Sendable () async -> Void) {}
}
struct Toggle { init(_ name: String, isOn: Bool) {} }
func List<Element>(_ elements: [Element], id: KeyPath<Element, String>, _ row: (Element) -> Toggle) {}

// The app's.
struct Switch: Sendable { var isOn = false }
struct Label: Sendable { var text: String? = "" }
struct Push: Sendable { var secureID = "n-1" }
struct Parser: Sendable { func parse(_ bytes: [UInt8]) {} }
struct Keychain: Sendable { func password(of user: String) throws -> String { "" } }
struct Session: Sendable {
    var accessToken = ""
    func credentials() async throws -> SignInCredentials { .bearer(token: accessToken) }
}
struct Table: Sendable {
    subscript(key: String) -> [String]? { get { nil } nonmutating set {} }
}
func show(_ text: String) {}
func showSignIn() {}
func remove(_ push: Push) {}
func isOn(_ category: NewsCategory) -> Bool { true }
let (listenConnectionString, listen, installationID, id) = ("", "", "", "n-1")
let token: [UInt8] = []
let secureID = ""
let storage: any SubscriptionStorage = FileSubscriptionStorage(path: "")
let transport: any HTTPTransport = URLSessionTransport()
let (push, parser, keychain, session, scenePhase) = (Push(), Parser(), Keychain(), Session(), ScenePhase.active)
var text: SecureText { fatalError("examples are only compiled") }
var answer: NotifyAnswer { fatalError("examples are only compiled") }
var gateway: NewsGateway { fatalError("examples are only compiled") }
var registrar: Registrar { .gateway(gateway) }
var news: NewsSubscriber { NewsSubscriber(registrar: registrar, storage: storage) }
var choice: NewsChoice { NewsChoice() }
var error: SubscriptionError { SubscriptionError(.offline, "") }
var loud: NewsTemplate { .apns }
nonisolated(unsafe) var configuration = SubscriberConfiguration()
nonisolated(unsafe) var (sportsSwitch, worldSwitch, label) = (Switch(), Switch(), Label())
