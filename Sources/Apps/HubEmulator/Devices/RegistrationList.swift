import NotificationHubs
import Signing
import Timestamps

/// A page of registrations: all, those with a tag, or those of a handle.
struct RegistrationList {
    /// Which are wanted.
    enum Selection {
        case all
        case tag(Tag)
        case channel(ChannelFilter)
    }

    /// What SDKs ask for, and what there is where nothing is asked for.
    static let defaultPage = 100

    var selection: Selection
    var pageSize: Int
    /// The slot that the page begins at.
    var start: UInt32

    /// Reads what a request asks for.
    ///
    /// - Parameters:
    ///   - target: With `$top`, `$filter` and the continuation token of the page before.
    ///   - tag: Of a list by tag.
    /// - Throws: 400 for a value that is not of the form.
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

    /// The token of the page that begins at a slot, in the service's form; percent-encode it for header and link.
    static func token(for slot: UInt32) -> String {
        Base64.encode(Array("\(slot)(n);1".utf8))
    }

    /// JavaScript encodes the token once more than others do.
    private static func slot(ofToken token: String) -> UInt32? {
        let text = token.contains("%") ? PercentEncoding.decode(token) ?? token : token
        guard let bytes = Base64.decode(text) else { return nil }
        return UInt32(String(decoding: bytes.prefix { $0 != UInt8(ascii: "(") }, as: UTF8.self))
    }
}

extension DeviceRegistry {
    /// A page of registrations in the order of their slots.
    ///
    /// - Returns: The page, and the slot that the next one begins at; nothing where there is none.
    func page(_ list: RegistrationList, now: Timestamp) -> (registrations: [Registration], next: UInt32?) {
        var found: [Registration] = []
        func take(_ slot: UInt32) -> UInt32? {
            guard let record = self[slot], !record.isExpired(at: now), isWanted(record, by: list) else { return nil }
            guard found.count < list.pageSize else { return slot }
            found.append(registration(record))
            return nil
        }
        switch list.selection {
        case .all:
            for slot in list.start..<max(list.start, UInt32(records.count)) {
                if let next = take(slot) { return (found, next) }
            }
        case .tag(let tag):
            for slot in possibleSlots(of: tag).sortedAndUnique() where slot >= list.start {
                if let next = take(slot) { return (found, next) }
            }
        case .channel(let filter):
            for slot in filter.handles.flatMap(slots(ofHandle:)).sortedAndUnique() where slot >= list.start {
                if let next = take(slot) { return (found, next) }
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
