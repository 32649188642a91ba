import NotificationHubs
import Signing
import Timestamps

/// A request for a page of registrations: all, those with a tag, or those of a handle.
struct RegistrationList {
    /// The requested registrations.
    enum Selection {
        case all
        case tag(Tag)
        case channel(ChannelFilter)
    }

    /// The page size that SDKs request; also the default and the maximum.
    static let defaultPage = 100

    var selection: Selection
    var pageSize: Int
    /// The first slot of the page.
    var start: UInt32

    /// Parses a request.
    ///
    /// - Parameters:
    ///   - target: The request target with `$top`, `$filter` and the continuation token of the previous page.
    ///   - tag: The tag of a list by tag.
    /// - Throws: 400 if a value is malformed.
    init(_ target: RequestTarget, tag: String? = nil) throws(HubFailure) {
        if let tag {
            do throws(TagError) {
                selection = .tag(try Tag(tag))
            } catch {
                throw .invalidTag(tag)
            }
        } else if let filter = target.formValue(of: "$filter") {
            do throws(DeviceError) {
                selection = .channel(try ChannelFilter(filter))
            } catch {
                throw HubFailure(400, error.message)
            }
        } else {
            selection = .all
        }
        pageSize = Self.defaultPage
        if let text = target.value(of: "$top") {
            guard let top = Int(text), top > 0 else {
                throw HubFailure(400, "The value of $top has to be a positive integer.")
            }
            pageSize = min(top, Self.defaultPage)
        }
        start = 0
        if let token = target.value(of: "continuationtoken"), !token.isEmpty {
            guard let slot = Self.slot(ofToken: token) else {
                throw HubFailure(400, "The continuation token is not valid.")
            }
            start = slot
        }
    }

    /// Returns the token of the page that begins at a slot, in the service's form. Percent-encode it for the header and the
    /// link.
    static func token(for slot: UInt32) -> String {
        Base64.encode(Array("\(slot)(n);1".utf8))
    }

    /// Parses a token. The JavaScript SDK encodes it once more than other SDKs.
    private static func slot(ofToken token: String) -> UInt32? {
        let text = token.contains("%") ? PercentEncoding.decode(token) ?? token : token
        guard let bytes = Base64.decode(text) else { return nil }
        return UInt32(String(decoding: bytes.prefix { $0 != UInt8(ascii: "(") }, as: UTF8.self))
    }
}

extension DeviceRegistry {
    /// Returns a page of registrations, ordered by slot.
    ///
    /// - Returns: The page and the first slot of the next one; `nil` on the last page.
    func page(_ list: RegistrationList, now: Timestamp) -> (registrations: [Registration], next: UInt32?) {
        var found: [Registration] = []
        func add(_ slot: UInt32) -> UInt32? {
            guard let record = self[slot], !record.isExpired(at: now), isWanted(record, by: list) else { return nil }
            guard found.count < list.pageSize else { return slot }
            found.append(registration(record))
            return nil
        }
        switch list.selection {
        case .all:
            for slot in list.start..<max(list.start, UInt32(records.count)) {
                if let next = add(slot) { return (found, next) }
            }
        case .tag(let tag):
            for slot in possibleSlots(of: tag).sortedAndUnique() where slot >= list.start {
                if let next = add(slot) { return (found, next) }
            }
        case .channel(let filter):
            for slot in filter.handles.flatMap(slots(ofHandle:)).sortedAndUnique() where slot >= list.start {
                if let next = add(slot) { return (found, next) }
            }
        }
        return (found, nil)
    }

    private func isWanted(_ record: DeviceRecord, by list: RegistrationList) -> Bool {
        switch list.selection {
        case .all: true
        case .tag(let tag): has(tag, record)
        case .channel(let filter): filter.matches(record.channel)
        }
    }
}
