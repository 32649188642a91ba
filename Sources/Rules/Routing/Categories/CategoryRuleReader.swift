import NewsflashEvents
import NotificationHubs

/// Reads the rules into the tables of a map, and collects their problems.
struct CategoryRuleReader {
    private(set) var problems: [ValidationProblem] = []
    private(set) var warnings: [ValidationProblem] = []
    private(set) var categories: [String] = []
    private(set) var families: [CategoryFamily] = []
    private(set) var categoriesByCode: [CategoryCode: [String]] = [:]
    private(set) var combinations: [(category: String, codes: [CategoryCode])] = []
    private(set) var widerByNarrower: [String: [String]] = [:]
    private var withoutCodes: [String] = []

    mutating func read(_ rule: CategoryRule) {
        let path = "categories.\(rule.name)"
        if case .each(let family, let tag) = rule.condition {
            do throws(ValidationProblem) {
                families.append(try CategoryFamily(ruleName: rule.name, family: family, tag: tag, path: path))
            } catch {
                problems.append(error)
            }
            return
        }
        do throws(HubValueError) {
            _ = try Tag(rule.name)
        } catch {
            problems.append(ValidationProblem(path: path, message: "a category is part of a tag: \(error.message)"))
        }
        if categories.contains(rule.name) {
            problems.append(
                ValidationProblem(path: path, message: "is listed already; put all its codes into one list")
            )
        }
        categories.append(rule.name)
        switch rule.condition {
        case .any(let codes):
            for (index, code) in codes.enumerated() {
                guard let code = read(code, path: "\(path)[\(index)]") else { continue }
                let others = categoriesByCode[code] ?? []
                if !others.contains(rule.name) { categoriesByCode[code] = others + [rule.name] }
            }
            if codes.isEmpty { withoutCodes.append(rule.name) }
        case .all(let codes):
            let required = codes.enumerated().compactMap { read($1, path: "\(path).all[\($0)]") }
            for code in required where categoriesByCode[code] == nil { categoriesByCode[code] = [] }
            if required.isEmpty {
                problems.append(
                    ValidationProblem(path: path + ".all", message: "has no codes; every event would reach it")
                )
            }
            combinations.append((rule.name, required))
        case .each: break
        }
    }

    mutating func read(narrower category: String, wider: [String]) {
        let path = "narrower.\(category)"
        for name in [category] + wider where !categories.contains(name) {
            problems.append(
                ValidationProblem(path: path, message: "\"\(name)\" is not a category; use one of categories:")
            )
        }
        if wider.contains(category) {
            problems.append(
                ValidationProblem(path: path, message: "a category cannot be wider than itself; take it out")
            )
        }
        if wider.contains(where: { widerByNarrower[$0]?.contains(category) ?? false }) {
            let message = "is wider than one of these already: both would be removed and nobody would be notified"
            problems.append(ValidationProblem(path: path, message: message))
        }
        widerByNarrower[category, default: []] += wider
    }

    mutating func check(_ policy: UnknownPolicy) {
        for name in withoutCodes where policy != .category(name) {
            warnings.append(ValidationProblem(path: "categories.\(name)", message: "has no codes; no event reaches it"))
        }
        guard case .category(let name) = policy, !categories.contains(name) else { return }
        let message = "\"\(name)\" is not a category; write drop, dead-letter or one of categories:"
        problems.append(ValidationProblem(path: "unknown", message: message))
    }

    private mutating func read(_ text: String, path: String) -> CategoryCode? {
        guard text.isCategoryCode else {
            let message =
                "\"\(text)\" is not a valid code: 1 to 96 of A-Z a-z 0-9 . _ : / - after a letter or digit"
            problems.append(ValidationProblem(path: path, message: message))
            return nil
        }
        let code = CategoryCode(text)
        if case .topic(let number) = code {
            if !MediaTopics.shipped.contains(number) {
                warnings.append(ValidationProblem(path: path, message: "\(text) is not a Media Topic of 2023-10-24"))
            } else if MediaTopics.shipped.isRetired(number) {
                warnings.append(ValidationProblem(path: path, message: "\(text) was retired by IPTC"))
            }
        }
        return code
    }
}

/// One line of `categories:` in the configuration.
package struct CategoryRule: Sendable, Equatable {
    /// The condition under which the rule makes its category.
    package enum Condition: Sendable, Equatable {
        /// One of the codes is present, or is the nearest ancestor of a present code.
        case any([String])
        /// Every code is present, or is an ancestor of a present code.
        case all([String])
        /// Each code of a family, `geo:*`, makes its own category, `geo.{code}`.
        case each(family: String, tag: String)
    }

    /// The category, from which tags are made; for a family only the name of the rule.
    package let name: String
    /// The condition of the rule.
    package let condition: Condition

    package init(name: String, condition: Condition) {
        self.name = name
        self.condition = condition
    }

    /// Creates a rule that any one of its codes fulfils.
    ///
    /// - Parameters:
    ///   - name: The category.
    ///   - codes: Words of the desk, `medtop:` and `subj:` codes; ASCII case is ignored.
    package init(name: String, codes: [String]) {
        self.init(name: name, condition: .any(codes))
    }
}

/// The handling of codes without a rule: `unknown:` in the configuration.
package enum UnknownPolicy: Sendable, Equatable {
    /// They are ignored.
    case drop
    /// The event is not sent.
    case deadLetter
    /// They make this category.
    case category(String)
}
