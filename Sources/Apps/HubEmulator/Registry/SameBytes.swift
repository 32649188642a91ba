import NotificationHubs

extension String {
    /// Whether two texts have the same bytes. `==` also treats canonically equivalent texts as equal, such as two spellings of
    /// é.
    func hasSameBytes(as other: String) -> Bool {
        utf8.count == other.utf8.count && utf8.elementsEqual(other.utf8)
    }
}

extension TemplateDescription {
    func hasSameBytes(as other: TemplateDescription) -> Bool {
        body.hasSameBytes(as: other.body) && headers.count == other.headers.count
            && zip(headers, other.headers).allSatisfy {
                $0.name.hasSameBytes(as: $1.name) && $0.value.hasSameBytes(as: $1.value)
            }
            && zip([name, expiry, priority], [other.name, other.expiry, other.priority]).allSatisfy { text, other in
                switch (text, other) {
                case (let text?, let other?): text.hasSameBytes(as: other)
                case (nil, nil): true
                default: false
                }
            }
    }
}
