/// The answers on a connection until its end.
package enum RawAnswers {
    /// Splits the answers. Interim answers (1xx) do not count.
    ///
    /// - Parameter text: Whole answers with lengths.
    /// - Returns: Status and body of each answer; `nil` if the text does not consist of answers.
    package static func split(_ text: String) -> [(status: Int, body: String)]? {
        var rest = Array(text.utf8)[...]
        var answers: [(status: Int, body: String)] = []
        while !rest.isEmpty {
            guard let end = rest.firstRange(of: Array("\r\n\r\n".utf8)) else { return nil }
            let head = String(decoding: rest[..<end.lowerBound], as: UTF8.self)
            let isDoubled = rest[end.upperBound...].starts(with: rest[..<end.upperBound])
            rest = rest[end.upperBound...]
            // libmicrohttpd 0.9.75 sends the head of its own refusal of a length twice.
            if isDoubled, head.contains("\r\nConnection: close") { rest = rest.dropFirst(head.utf8.count + 4) }
            guard head.hasPrefix("HTTP/1.1 "), let status = Int(head.dropFirst(9).prefix(3)) else { return nil }
            if status < 200 { continue }
            let length =
                head.split(separator: "\r\n").first { $0.lowercased().hasPrefix("content-length: ") }
                .flatMap { Int($0.dropFirst(16)) } ?? 0
            guard rest.count >= length else { return nil }
            answers.append((status, String(decoding: rest.prefix(length), as: UTF8.self)))
            rest = rest.dropFirst(length)
        }
        return answers
    }
}
