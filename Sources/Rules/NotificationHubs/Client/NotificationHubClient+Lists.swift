import HTTPTransport
import StrictXML

/// Selects the registrations of a list.
public enum RegistrationFilter: Sendable, Hashable {
    /// All registrations of the hub. Needs the claim Manage.
    case all
    /// The registrations with a tag. Needs the claim Manage.
    case tag(Tag)
    /// The registrations of one device. Needs the claim Listen.
    case channel(PushChannel)
}

/// A page of a list of registrations.
public struct RegistrationPage: Sendable, Equatable {
    /// The registrations, in the hub's order.
    public let registrations: [Registration]
    /// The token for the next page; `nil` on the last page.
    public let continuation: String?
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
            answer = try await perform(filter.operation) { () throws(HubError) in
                client.request(.get, filter.path, query: query)
            }
        } catch {
            // According to the service's documentation, the response for a device without registrations is a 404.
            if error.code == .missing, case .channel = filter {
                return RegistrationPage(registrations: [], continuation: nil)
            }
            throw error
        }
        do throws(DeviceError) {
            let token = answer.response.headers["x-ms-continuationtoken"]
            return RegistrationPage(
                registrations: try RegistrationXML.readList(answer.response.body),
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
    /// - Parameter filter: Selects the registrations.
    /// - Returns: A sequence that starts from the first page with each iteration and throws ``HubError``.
    public func allRegistrations(_ filter: RegistrationFilter = .all) -> RegistrationSequence {
        RegistrationSequence(client: self, filter: filter)
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
        let parts: [(name: String, value: String)] =
            switch channel {
            case .baidu(let user, let channel): [("BaiduUserId", user), ("BaiduChannelId", channel)]
            case .browser(let endpoint, let p256dh, let auth):
                [("Endpoint", endpoint), ("P256DH", p256dh), ("Auth", auth)]
            // The hub stores it in upper case.
            case .apns(let token): [("ChannelUri", token.uppercased())]
            default: [("ChannelUri", channel.handle)]
            }
        let filter = parts.map { "\($0.name) eq '\($0.value.replacing("'", with: "''"))'" }.joined(separator: " and ")
        return "&$filter=" + PercentEncoding.encode(filter)
    }
}

/// All registrations that match a filter, read in pages on demand; see ``NotificationHubClient/allRegistrations(_:)``.
public struct RegistrationSequence: AsyncSequence, Sendable {
    let client: NotificationHubClient
    let filter: RegistrationFilter

    /// Starts at the first page.
    public func makeAsyncIterator() -> Iterator {
        Iterator(client: client, filter: filter)
    }

    /// Iterates over the registrations.
    public struct Iterator: AsyncIteratorProtocol {
        private enum State {
            /// Before the page of a continuation token; `nil` for the first page.
            case before(continuation: String?)
            case within(RegistrationPage, next: Int)
            case ended
        }

        private let client: NotificationHubClient
        private let filter: RegistrationFilter
        private var state = State.before(continuation: nil)

        init(client: NotificationHubClient, filter: RegistrationFilter) {
            self.client = client
            self.filter = filter
        }

        /// Returns the next registration.
        ///
        /// - Returns: The registration; `nil` after the last one and after an error.
        /// - Throws: ``HubError``.
        public mutating func next() async throws(HubError) -> Registration? {
            try await next(isolation: #isolation)
        }

        /// Returns the next registration.
        ///
        /// - Parameter actor: The actor that calls it.
        /// - Returns: The registration; `nil` after the last one and after an error.
        /// - Throws: ``HubError``.
        public mutating func next(isolation actor: isolated (any Actor)?) async throws(HubError) -> Registration? {
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
                    state = .within(page, next: 0)
                }
            }
        }
    }
}

extension RegistrationXML {
    /// Decodes a list of registrations: an Atom feed.
    ///
    /// - Parameter body: A page of a list.
    /// - Returns: The registrations, in the order of the list.
    /// - Throws: ``DeviceError`` if the document is not such a list, or if an entry cannot be decoded; the error names the
    ///   entry.
    ///   For a hub that does not exist, the service responds with a feed of another title.
    public static func readList(_ body: [UInt8]) throws(DeviceError) -> [Registration] {
        let feed: XMLElement
        do throws(XMLError) {
            feed = try XMLReader.read(body)
        } catch {
            throw DeviceError(.syntax, "The list is not valid XML: \(error.message).")
        }
        guard feed.localName == "feed", feed.first("title")?.text != "Publicly Listed Services" else {
            throw DeviceError(.missing, "The document is not a list of registrations.", at: "feed")
        }
        var registrations: [Registration] = []
        for entry in feed.elements where entry.localName == "entry" {
            let path = "entry \(registrations.count + 1)"
            guard let description = entry.first("content")?.elements.first else {
                throw DeviceError(.missing, "The entry has no registration in its content.", at: path)
            }
            do throws(DeviceError) {
                registrations.append(try RegistrationReader(description).registration())
            } catch {
                throw DeviceError(error.code, error.message, at: "\(path), \(error.path)")
            }
        }
        return registrations
    }
}
