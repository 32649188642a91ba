import NewsSubscriptions

extension SubscriptionOutcome {
    var isPending: Bool {
        if case .pending = self { true } else { false }
    }
}
