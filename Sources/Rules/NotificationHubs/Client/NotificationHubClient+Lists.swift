import NewsflashHTTPTransport
import NewsflashStrictXML

/// Selects the registrations of a list.
///
/// ```swift
/// for try await registration in hub.allRegistrations(.tag(try Tag("world"))) { print(registration.id) }
/// ```
public enum RegistrationFilter: Sendable, Hashable {
    /// All registrations of the hub. Needs the claim Manage.
    case all
    /// The registrations with a tag. Needs the claim Manage.
    case tag(Tag)
    /// The registrations of one device. Needs the claim Listen.
    case channel(PushChannel)
}

/// A page of a list of registrations.
///
/// ```swift
/// let page = try await hub.registrations(top: 50)
/// print(page.registrations.count, page.unreadable, page.continuation ?? "the last page")
/// ```
public struct RegistrationPage: Sendable, Equatable {
    /// The registrations, in the hub's order.
    public let registrations: [Registration]
    /// The faults of entries that are not registrations as this version knows them; ``HubValueError/path`` is the position, such as
    /// `entry 3`. An entry with a ``HubValueError/registrationID`` can be deleted.
    public let unreadable: [HubValueError]
    /// The token for the next page; `nil` on the last page.
    public let continuation: String?

    /// Creates a page, for a test double.
    ///
    /// - Parameters:
    ///   - registrations: The registrations.
    ///   - unreadable: Entries that are not registrations.
    ///   - continuation: The token for the next page; `nil` on the last page.
    public init(registrations: [Registration], unreadable: [HubValueError] = [], continuation: String? = nil) {
        self.registrations = registrations
        self.unreadable = unreadable
        self.continuation = continuation
    }
}

// Lists of registrations. They include installations: each has a native registration and one for each template.
extension NotificationHubClient {
    /// Reads a page of registrations.
    ///
    /// - Parameters:
    ///   - filter: Selects the registrations.
    ///   - top: The maximum number on a page, from 1 to 100.
    ///   - continuation: ``RegistrationPage/continuation`` of the previous page.
    /// - Returns: The page; may be empty even if another page follows.
    /// - Throws: ``HubError``.
    public func registrations(
        _ filter: RegistrationFilter = .all,
        top: Int = 100,
        after continuation: String? = nil
    ) async throws(HubError) -> RegistrationPage {
        var query = filter.query + "&$top=\(min(max(top, 1), 100))"
        if let continuation { query += "&continuationtoken=\(Self.encoded(continuation))" }
        let answer: HubAnswer
        do throws(HubError) {
            answer = try await perform(filter.operation, hiding: filter.handles) { () throws(HubError) in
                client.request(.get, filter.path, query: query)
            }
        } catch {
            // According to the service's documentation, the response for a device without registrations is a 404.
            if error.code == .missing, case .channel = filter {
                return RegistrationPage(registrations: [], unreadable: [], continuation: nil)
            }
            throw error
        }
        do throws(HubValueError) {
            let token = answer.response.headers["x-ms-continuationtoken"]
            return try RegistrationPage(
                reading: answer.response.body,
                continuation: token.flatMap { $0.isEmpty ? nil : $0 }
            )
        } catch {
            throw HubError(unreadable: filter.operation, error.asFaultOfAnswer, answer, at: hubURL)
        }
    }

    /// All registrations; pages are read on demand.
    ///
    /// Registrations written during the iteration may or may not be included.
    ///
    /// - Parameters:
    ///   - filter: Selects the registrations.
    ///   - unreadable: Receives each entry that cannot be decoded; the sequence goes on with the next one.
    /// - Returns: A sequence that starts from the first page with each iteration and throws ``HubError``.
    public func allRegistrations(
        _ filter: RegistrationFilter = .all,
        unreadable: @escaping @Sendable (HubValueError) -> Void = { _ in }
    ) -> some AsyncSequence<Registration, HubError> & Sendable {
        RegistrationSequence(client: self, filter: filter, unreadable: unreadable)
    }

    /// Encodes a continuation token, unless it is percent-encoded already, as the service issues it. So no token can add a
    /// parameter to the query.
    private static func encoded(_ continuation: String) -> String {
        let isEncoded = continuation.utf8.allSatisfy { byte in
            switch byte {
            case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
                UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "_"), UInt8(ascii: "."),
                UInt8(ascii: "~"), UInt8(ascii: "%"):
                true
            default: false
            }
        }
        return isEncoded ? continuation : PercentEncoding.encode(continuation)
    }
}

extension RegistrationFilter {
    fileprivate var operation: HubClientOperation {
        switch self {
        case .all, .tag: .listRegistrations
        case .channel: .listRegistrationsOfChannel
        }
    }

    fileprivate var handles: [String] {
        if case .channel(let channel) = self { channel.parts } else { [] }
    }

    fileprivate var path: String {
        switch self {
        case .all, .channel: "registrations"
        case .tag(let tag): "tags/\(PercentEncoding.encode(tag.description))/registrations"
        }
    }

    /// The filter of one device. Uses the member names that .NET and Java send for every platform, except for the two platforms
    /// whose handle has several parts.
    fileprivate var query: String {
        guard case .channel(let channel) = self else { return "" }
        var elements = channel.platform.facts?.channelElements ?? []
        if elements.count < 2 { elements = ["ChannelUri"] }
        // The hub stores Apple's tokens in upper case.
        let isApple = channel.platform == .apns
        let parts = zip(elements, channel.parts).map { (name: $0, value: isApple ? $1.uppercased() : $1) }
        let filter = parts.map { "\($0.name) eq '\($0.value.replacing("'", with: "''"))'" }.joined(separator: " and ")
        return "&$filter=" + PercentEncoding.encode(filter)
    }
}

/// All registrations that match a filter, read in pages on demand.
private struct RegistrationSequence: AsyncSequence, Sendable {
    let client: NotificationHubClient
    let filter: RegistrationFilter
    let unreadable: @Sendable (HubValueError) -> Void

    /// Starts at the first page.
    func makeAsyncIterator() -> Iterator {
        Iterator(client: client, filter: filter, unreadable: unreadable)
    }

    /// Iterates over the registrations.
    struct Iterator: AsyncIteratorProtocol {
        private enum State {
            /// Before the page of a continuation token; `nil` for the first page.
            case before(continuation: String?)
            case within(RegistrationPage, next: Int)
            case ended
        }

        private let client: NotificationHubClient
        private let filter: RegistrationFilter
        private let unreadable: @Sendable (HubValueError) -> Void
        private var state = State.before(continuation: nil)

        init(
            client: NotificationHubClient,
            filter: RegistrationFilter,
            unreadable: @escaping @Sendable (HubValueError) -> Void
        ) {
            self.client = client
            self.filter = filter
            self.unreadable = unreadable
        }

        /// Returns the next registration.
        ///
        /// - Returns: The registration; `nil` after the last one and after an error.
        /// - Throws: ``HubError``.
        mutating func next() async throws(HubError) -> Registration? {
            try await next(isolation: #isolation)
        }

        /// Returns the next registration.
        ///
        /// - Parameter actor: The actor that calls it.
        /// - Returns: The registration; `nil` after the last one and after an error.
        /// - Throws: ``HubError``.
        mutating func next(isolation actor: isolated (any Actor)?) async throws(HubError) -> Registration? {
            while true {
                switch state {
                case .ended: return nil
                case .within(let page, let index):
                    if index < page.registrations.count {
                        state = .within(page, next: index + 1)
                        return page.registrations[index]
                    }
                    state = page.continuation.map { .before(continuation: $0) } ?? .ended
                case .before(let continuation):
                    // The iteration ends if the read fails.
                    state = .ended
                    let page = try await client.registrations(filter, after: continuation)
                    // Prevents an endless loop.
                    if let continuation, page.continuation == continuation {
                        throw HubError(
                            .unreadableAnswer,
                            "listing registrations at \(client.hubURL) was answered with the same page again: "
                                + "its continuation token refers to itself",
                            operation: .listRegistrations
                        )
                    }
                    for entry in page.unreadable { unreadable(entry) }
                    state = .within(page, next: 0)
                }
            }
        }
    }
}

extension RegistrationPage {
    /// Decodes a page of a list: an Atom feed.
    ///
    /// - Parameters:
    ///   - body: The page.
    ///   - continuation: The token for the next page.
    /// - Throws: ``HubValueError`` if the document is not such a list. For a hub that does not exist, the service responds with
    ///   a feed of another title.
    init(reading body: [UInt8], continuation: String?) throws(HubValueError) {
        let feed: XMLElement
        do throws(XMLError) {
            feed = try XMLReader.read(body)
        } catch {
            throw HubValueError(.deviceSyntax, "The list is not valid XML: \(error.message).")
        }
        guard feed.localName == "feed", feed.first("title")?.text != "Publicly Listed Services" else {
            throw HubValueError(.deviceMissing, "The document is not a list of registrations.", at: "feed")
        }
        var registrations: [Registration] = []
        var unreadable: [HubValueError] = []
        for (index, entry) in feed.elements.filter({ $0.localName == "entry" }).enumerated() {
            let reader = entry.first("content")?.elements.first.map { RegistrationReader($0) }
            do throws(HubValueError) {
                guard let reader else {
                    throw HubValueError(.deviceMissing, "The entry has no registration in its content.", at: "content")
                }
                registrations.append(try reader.registration())
            } catch {
                unreadable.append(
                    HubValueError(
                        error.code,
                        error.asFaultOfEntry,
                        at: "entry \(index + 1)",
                        registrationID: reader?.id
                    )
                )
            }
        }
        self.init(registrations: registrations, unreadable: unreadable, continuation: continuation)
    }
}
