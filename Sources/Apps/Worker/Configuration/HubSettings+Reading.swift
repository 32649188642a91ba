import NewsflashEvents
import NewsflashRendering
import NewsflashRouting
import NotificationHubs

extension HubSettings {
    /// The variable with the connection string of the first live hub.
    private static let usualVariable = "NEWSFLASH_HUB_CONNECTION_STRING"

    /// Reads `hub: name`, or `hubs`.
    ///
    /// - Parameters:
    ///   - root: The root section of the file.
    ///   - send: The defaults for hubs without settings of their own.
    /// - Returns: The hubs in the order of the file; `nil` if a problem was reported.
    static func read(_ root: ConfigurationSection, send: SendSettings) -> [HubSettings]? {
        if root.isGiven("hub") {
            if root.node("hubs") != nil {
                if root.isFromVariable("hub") {
                    root.report("hub", "cannot be used together with 'hubs' in the file; unset the variable")
                } else {
                    root.report("hubs", "use either 'hub' or 'hubs', not both")
                }
            }
            guard let name = root.text("hub"), let audiences = send.audiences, let forms = send.forms else {
                return nil
            }
            checkName(name, "hub", root)
            let (credentials, missing) = Self.credentials(of: name, nil, label: "main", isFirst: true, root.context)
            let hub = HubSettings(
                label: "main",
                name: name,
                replaces: [],
                mode: .live,
                forms: forms,
                audiences: audiences,
                credentials: credentials,
                missingCredentials: missing
            )
            return [hub]
        }
        let section = root.section("hubs")
        let all = section.sections()
        if all.isEmpty {
            root.report("hub", "is missing; name the hub, as in 'hub: newsroom', or several in 'hubs'")
            return nil
        }
        let modes = all.map { label, section in
            section.choice(ifGiven: "mode", of: Mode.self) ?? (label == "test" ? .test : .live)
        }
        let firstLive = modes.firstIndex(of: .live)
        if firstLive == nil {
            root.report("hubs", "has no live hub; at least one needs 'mode: live'")
        }
        var hubs: [HubSettings] = []
        for (index, (label, section)) in all.enumerated() {
            let name = section.text("name")
            if let name {
                checkName(name, "name", section)
            } else {
                section.report("name", "is missing; write the hub's name in its namespace")
            }
            let (credentials, missing) = Self.credentials(
                of: name ?? label,
                section,
                label: label,
                isFirst: index == firstLive,
                section.context
            )
            let forms = send.forms(of: section)
            let audiences = send.audiences(of: section)
            let replaces = Self.replaces(section)
            guard let name, let forms, let audiences else { continue }
            hubs.append(
                HubSettings(
                    label: label,
                    name: name,
                    replaces: replaces,
                    mode: modes[index],
                    forms: forms,
                    audiences: audiences,
                    credentials: credentials,
                    missingCredentials: missing
                )
            )
        }
        return hubs.count == all.count && firstLive != nil ? hubs : nil
    }

    private static func checkName(_ name: String, _ key: String, _ section: ConfigurationSection) {
        guard !HubClient.isValid(hubName: name) else { return }
        section.report(
            key,
            "'\(name)' is not a valid hub name; write 1 to 260 letters, digits, dots, - and _" + name.hintOfVariables
        )
    }

    /// Reads `replaces`: one `ENDPOINT/NAME`, or several.
    private static func replaces(_ section: ConfigurationSection) -> [String] {
        let given = section.texts("replaces") ?? []
        for text in given {
            let parts = text.split(separator: "/", omittingEmptySubsequences: false)
            if parts.count == 2, !parts[0].isEmpty, HubClient.isValid(hubName: String(parts[1])) { continue }
            section.report(
                "replaces",
                "'\(text)' is not ENDPOINT/NAME, as in news.servicebus.windows.net/newsroom"
            )
        }
        return given
    }

    /// Finds the connection string. As for every key, the environment overrides the file.
    private static func credentials(
        of name: String,
        _ section: ConfigurationSection?,
        label: String,
        isFirst: Bool,
        _ context: ConfigurationContext
    ) -> (HubCredentials?, missing: String) {
        let environment = context.environment
        func value(_ variable: String?) -> HubCredentials? {
            guard let variable, let value = environment[variable], !value.isEmpty else { return nil }
            return .variable(variable, value: value)
        }
        func file(_ variable: String?) -> HubCredentials? {
            guard let variable, let path = environment[variable], !path.isEmpty else { return nil }
            return .file(path)
        }
        let own = section.map { ConfigurationSection.variable(for: $0.path + ["connectionString"]) }
        let usual = isFirst ? usualVariable : nil
        let named = section?.text("connectionStringVariable")
        let path = section?.file("connectionStringFile")
        context.know(own, usual, own.map { $0 + "_FILE" }, usual.map { $0 + "_FILE" }, named)
        let credentials =
            value(own) ?? value(usual) ?? file(own.map { $0 + "_FILE" }) ?? file(usual.map { $0 + "_FILE" })
            ?? value(named) ?? path.map { .file($0) }
        let variable = named ?? usual ?? own ?? usualVariable
        let missing =
            "no connection string for the hub \(name): set the variable \(variable), or hubs.\(label).connectionStringFile "
            + "to a file that holds it"
        if credentials == nil {
            context.warn(ValidationProblem(path: section == nil ? "hub" : "hubs.\(label)", message: missing))
        }
        return (credentials, missing)
    }
}
