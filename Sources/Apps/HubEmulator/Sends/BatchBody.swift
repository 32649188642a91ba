import HTTPTransport
import NotificationHubs
import StrictJSON

/// The two parts of a batch direct send (`multipart/mixed`, RFC 2046).
struct BatchBody {
    let notification: [UInt8]
    let handles: [String]

    init(_ request: EmulatedRequest) throws(HubFailure) {
        guard let boundary = Self.boundary(request.headers["Content-Type"] ?? "") else { throw .noMultipart }
        let parts = Self.parts(request.body, boundary: boundary)
        guard let notification = parts["notification"], let devices = parts["devices"] else { throw .noMultipart }
        self.notification = Array(notification)
        self.handles = try Self.handles(Array(devices))
    }

    /// Finds the boundary. JavaScript writes spaces around the `=`; quotes are optional.
    private static func boundary(_ contentType: String) -> String? {
        for parameter in contentType.split(separator: ";").dropFirst() {
            guard let equals = parameter.firstIndex(of: "="),
                parameter[..<equals].trimmed.lowercased() == "boundary"
            else { continue }
            let value = parameter[parameter.index(after: equals)...].trimmed.filter { $0 != "\"" }
            return value.isEmpty ? nil : String(value)
        }
        return nil
    }

    /// Returns the bodies of the parts by the name in their `Content-Disposition`.
    private static func parts(_ body: [UInt8], boundary: String) -> [String: ArraySlice<UInt8>] {
        let mark = Array("--\(boundary)".utf8)
        var parts: [String: ArraySlice<UInt8>] = [:]
        var marks: [Int] = []
        var index = 0
        while index + mark.count <= body.count {
            // Only at the beginning of a line (section 5.1.1), so that each byte is compared at most twice.
            if body[index...].starts(with: mark) { marks.append(index) }
            guard let end = body[index...].firstIndex(of: UInt8(ascii: "\n")) else { break }
            index = end + 1
        }
        for (start, end) in zip(marks, marks.dropFirst()) {
            let part = body[(start + mark.count)..<end]
            guard let (head, content) = split(part), let name = name(inHead: head) else { continue }
            parts[name] = content
        }
        return parts
    }

    /// Splits a part into head and content at the first empty line. The line break before the next boundary is not content.
    private static func split(_ part: ArraySlice<UInt8>) -> (head: String, content: ArraySlice<UInt8>)? {
        for separator in [Array("\r\n\r\n".utf8), Array("\n\n".utf8)] {
            guard let start = part.indices.first(where: { part[$0...].starts(with: separator) }) else { continue }
            var content = part[(start + separator.count)...]
            if content.last == UInt8(ascii: "\n") { content = content.dropLast() }
            if content.last == UInt8(ascii: "\r") { content = content.dropLast() }
            return (String(decoding: part[..<start], as: UTF8.self), content)
        }
        return nil
    }

    private static func name(inHead head: String) -> String? {
        for line in head.split(whereSeparator: \.isNewline) where line.lowercased().hasPrefix("content-disposition:") {
            for parameter in line.split(separator: ";") {
                let pair = parameter.split(separator: "=", maxSplits: 1)
                guard pair.count == 2, pair[0].trimmed.lowercased() == "name" else { continue }
                return pair[1].trimmed.filter { $0 != "\"" }.lowercased()
            }
        }
        return nil
    }

    private static func handles(_ devices: [UInt8]) throws(HubFailure) -> [String] {
        var list = try? JSONReader.read(devices)
        if list == nil {
            // The sample on the service's own page has single quotes.
            list = try? JSONReader.read(devices.map { $0 == UInt8(ascii: "'") ? UInt8(ascii: "\"") : $0 })
        }
        guard let elements = list?.array else { throw .noMultipart }
        let handles = elements.compactMap(\.string)
        guard handles.count == elements.count, (1...DeviceBatch.maximumHandles).contains(handles.count),
            !handles.contains(where: \.isEmpty)
        else { throw HubFailure(400, "A batch has 1 to \(DeviceBatch.maximumHandles) device handles.") }
        return handles
    }
}

extension Substring {
    fileprivate var trimmed: Substring {
        let fromFirst = drop { $0.isWhitespace }
        guard let last = fromFirst.lastIndex(where: { !$0.isWhitespace }) else { return fromFirst }
        return fromFirst[...last]
    }
}
