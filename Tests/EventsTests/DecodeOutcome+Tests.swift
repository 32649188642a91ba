import NewsflashEvents

func rejection(of outcome: DecodeOutcome) -> EventRejection? {
    guard case .rejected(let rejection) = outcome else { return nil }
    return rejection
}

func reason(of outcome: DecodeOutcome) -> InvalidReason? {
    rejection(of: outcome)?.reason
}

extension EventRejection {
    /// Whether its texts for headers and logs are short and harmless.
    var isBoundedAndPrintable: Bool {
        let names = [(id, 128), (source, 256), (story, 256), (kind, 32)]
        return detail.utf8.count <= 1024 && detail.utf8.allSatisfy { (0x20...0x7E).contains($0) }
            && names.allSatisfy { name, limit in
                guard let name else { return true }
                return (1...limit).contains(name.utf8.count) && name.utf8.allSatisfy { (0x21...0x7E).contains($0) }
            }
    }
}

extension DecodeOutcome {
    /// Whether it is an event that reaches no subscriber because the item is not for push.
    var isWithheld: Bool {
        guard case .event(let event, _) = self else { return false }
        return event.withheld != nil
    }
}
