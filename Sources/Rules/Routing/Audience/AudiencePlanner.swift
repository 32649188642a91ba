package import NewsEvents
package import NotificationHubs

/// Turns categories and languages into the fewest tag expressions that the hub takes.
///
/// Expressions hold `||` only, since those may have 20 tags and mixed ones 6. The same input gives the same plan. No tag is
/// in two expressions of a plan; a device that holds tags of two of them is reached twice, which only the newsroom can
/// avoid.
package struct AudiencePlanner: Sendable, Equatable {
    private let pattern: TagPattern
    private let maximumTags: Int

    /// Makes a planner.
    ///
    /// - Parameters:
    ///   - pattern: How tags are made.
    ///   - maximumTags: The most tags in one expression, 1 to 20: `send.maximumTags` of the configuration.
    package init(pattern: TagPattern, maximumTags: Int = TagExpression.maximumTagsWithOrOnly) {
        self.pattern = pattern
        self.maximumTags = min(max(maximumTags, 1), TagExpression.maximumTagsWithOrOnly)
    }

    /// Whether each language has tags of its own.
    package var hasLocale: Bool { pattern.hasLocale }

    /// Plans the audiences of one event.
    ///
    /// - Parameters:
    ///   - categories: The event's categories; sorted here.
    ///   - locales: The languages, in whose order the audiences come; not looked at where tags have none.
    /// - Returns: An expression for each language and each full set of tags; none without categories.
    /// - Throws: ``RuleProblem`` for a category that makes no tag.
    package func plan(categories: [String], locales: [String]) throws(RuleProblem) -> [PlannedAudience] {
        let sorted = categories.sortedOnce()
        guard pattern.hasLocale else {
            var planned: Set<Tag>?
            return try plan(sorted, locale: nil, besides: &planned)
        }
        // Tags of two languages may be the same.
        var planned: Set<Tag>? = []
        var audiences: [PlannedAudience] = []
        for locale in locales { audiences += try plan(sorted, locale: locale, besides: &planned) }
        return audiences
    }

    /// Plans the audiences of one language, or of all.
    ///
    /// - Parameters:
    ///   - categories: Sorted, each once.
    ///   - locale: The language; `nil` where tags do not tell.
    ///   - planned: The tags that have an audience already; `nil` where there can be none.
    /// - Returns: An expression for each full set of tags that have no audience yet.
    /// - Throws: ``RuleProblem`` for a category that makes no tag.
    private func plan(
        _ categories: [String],
        locale: String?,
        besides planned: inout Set<Tag>?
    ) throws(RuleProblem) -> [PlannedAudience] {
        // Different categories make different tags, in one language, or all make the same.
        let makers = pattern.hasCategory ? categories.count : min(categories.count, 1)
        var audiences: [PlannedAudience] = []
        var tags: [Tag] = []
        var names: [String] = []
        tags.reserveCapacity(min(makers, maximumTags))
        names.reserveCapacity(min(makers, maximumTags))
        for place in 0..<makers {
            let tag = try tag(category: categories[place], locale: locale ?? "")
            if planned?.insert(tag).inserted == false { continue }
            if tags.count == maximumTags {
                audiences.append(try audience(tags, locale: locale, pattern.hasCategory ? names : categories))
                tags.removeAll(keepingCapacity: true)
                names.removeAll(keepingCapacity: true)
            }
            tags.append(tag)
            names.append(categories[place])
        }
        if !tags.isEmpty {
            audiences.append(try audience(tags, locale: locale, pattern.hasCategory ? names : categories))
        }
        return audiences
    }

    /// Whether what an event may have of categories can be too much for one request.
    ///
    /// - Parameter categories: The most that an event has.
    /// - Returns: `true` where some devices may be in two requests.
    package func splits(_ categories: Int) -> Bool { pattern.hasCategory && categories > maximumTags }

    /// Checks that every category makes a tag of its own in every language.
    ///
    /// - Parameters:
    ///   - categories: All that the rules name.
    ///   - locales: All that are offered.
    /// - Returns: What is wrong, as `lint` should say it.
    package func problems(categories: [String], locales: [String]) -> [RuleProblem] {
        var problems: [RuleProblem] = []
        var makers: [Tag: String] = [:]
        for category in pattern.hasCategory ? categories : ["all"] {
            for locale in pattern.hasLocale ? locales : [""] {
                let maker = locale.isEmpty ? category : "\(category) in \(locale)"
                do throws(RuleProblem) {
                    let tag = try tag(category: category, locale: locale)
                    if let other = makers.updateValue(maker, forKey: tag) {
                        let message = "makes the tag \(tag) for \(other) and for \(maker); part them by a character"
                        problems.append(RuleProblem(path: pattern.path, message: message))
                    }
                } catch {
                    problems.append(error)
                }
            }
        }
        return problems
    }

    private func tag(category: String, locale: String) throws(RuleProblem) -> Tag {
        do throws(TagError) {
            return try pattern.tag(category: category, locale: locale)
        } catch {
            throw RuleProblem(path: "categories.\(category)", message: "makes no tag: \(error.message)")
        }
    }

    private func audience(
        _ tags: [Tag],
        locale: String?,
        _ categories: [String]
    ) throws(RuleProblem) -> PlannedAudience {
        do throws(TagExpressionError) {
            let expression = try TagExpression.any(ofDistinct: tags)
            return PlannedAudience(expression: expression, locale: locale, categories: categories)
        } catch {
            throw RuleProblem(path: pattern.path, message: error.message)
        }
    }
}

/// The readers of one request.
package struct PlannedAudience: Sendable, Equatable {
    /// Who they are.
    package let expression: TagExpression
    /// Their language as the configuration writes it; `nil` where the tags do not tell.
    package let locale: String?
    /// The categories that their tags are made of, sorted.
    package let categories: [String]
    /// The same as one text, with commas.
    package let categoryText: String
    /// Whether each tag is that of one reader whom an event named.
    package let isForUsers: Bool

    package init(expression: TagExpression, locale: String?, categories: [String], isForUsers: Bool = false) {
        self.expression = expression
        self.locale = locale
        self.categories = categories
        self.isForUsers = isForUsers
        self.categoryText = categories.count == 1 ? categories[0] : Self.list(categories)
    }

    /// The categories with commas between them.
    private static func list(_ categories: [String]) -> String {
        var text = ""
        text.reserveCapacity(categories.reduce(categories.count) { $0 + $1.utf8.count })
        for place in categories.indices {
            if place > 0 { text += "," }
            text += categories[place]
        }
        return text
    }
}
