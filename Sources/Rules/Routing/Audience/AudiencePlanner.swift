package import NewsflashEvents
package import NotificationHubs

/// Turns categories and languages into the fewest tag expressions that the hub accepts.
///
/// Expressions contain only `||`, because these may have 20 tags and mixed ones 6. The same input gives the same plan. Each tag
/// is in at most one expression of a plan. A device that has tags of two expressions is notified twice, which only the newsroom
/// can avoid.
package struct AudiencePlanner: Sendable, Equatable {
    private let pattern: TagPattern
    private let maximumTags: Int

    /// Creates a planner.
    ///
    /// - Parameters:
    ///   - pattern: The pattern of tags.
    ///   - maximumTags: The maximum number of tags in one expression, 1 to 20: `send.maximumTags` of the configuration.
    package init(pattern: TagPattern, maximumTags: Int = TagExpression.maximumTagsWithOrOnly) {
        self.pattern = pattern
        self.maximumTags = min(max(maximumTags, 1), TagExpression.maximumTagsWithOrOnly)
    }

    /// Whether each language has its own tags.
    package var hasLocale: Bool { pattern.hasLocale }

    /// Plans the audiences of one event.
    ///
    /// - Parameters:
    ///   - categories: The event's categories, in any order.
    ///   - locales: The languages, in the order of the audiences; ignored if the tags contain no language.
    /// - Returns: An expression for each language and each full set of tags; empty without categories.
    /// - Throws: ``ValidationProblem`` for a category without a valid tag.
    package func plan(categories: [String], locales: [String]) throws(ValidationProblem) -> [PlannedAudience] {
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
    ///   - categories: The categories, sorted and without duplicates.
    ///   - locale: The language; `nil` if the tags contain none.
    ///   - planned: The tags that have an audience already; `nil` if there cannot be any.
    /// - Returns: An expression for each full set of tags that have no audience yet.
    /// - Throws: ``ValidationProblem`` for a category without a valid tag.
    private func plan(
        _ categories: [String],
        locale: String?,
        besides planned: inout Set<Tag>?
    ) throws(ValidationProblem) -> [PlannedAudience] {
        // In one language, different categories have different tags, or all have the same.
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

    /// Whether a number of categories can be too many for one request.
    ///
    /// - Parameter categories: The maximum number of categories of an event.
    /// - Returns: `true` if some devices may be in two requests.
    package func splits(_ categories: Int) -> Bool { pattern.hasCategory && categories > maximumTags }

    /// Checks that every category has its own tag in every language.
    ///
    /// - Returns: The problems, as `lint` prints them.
    package func problems(categories: [String], locales: [String]) -> [ValidationProblem] {
        var problems: [ValidationProblem] = []
        var makers: [Tag: String] = [:]
        for category in pattern.hasCategory ? categories : ["all"] {
            for locale in pattern.hasLocale ? locales : [""] {
                let maker = locale.isEmpty ? category : "\(category) in \(locale)"
                do throws(ValidationProblem) {
                    let tag = try tag(category: category, locale: locale)
                    if let other = makers.updateValue(maker, forKey: tag) {
                        let message = "makes the tag \(tag) for \(other) and for \(maker); separate them by a character"
                        problems.append(ValidationProblem(path: pattern.path, message: message))
                    }
                } catch {
                    problems.append(error)
                }
            }
        }
        return problems
    }

    private func tag(category: String, locale: String) throws(ValidationProblem) -> Tag {
        do throws(HubValueError) {
            return try pattern.tag(category: category, locale: locale)
        } catch {
            throw ValidationProblem(path: "categories.\(category)", message: "makes an invalid tag: \(error.message)")
        }
    }

    private func audience(
        _ tags: [Tag],
        locale: String?,
        _ categories: [String]
    ) throws(ValidationProblem) -> PlannedAudience {
        do throws(HubValueError) {
            let expression = try TagExpression.any(ofDistinct: tags)
            return PlannedAudience(expression: expression, locale: locale, categories: categories)
        } catch {
            throw ValidationProblem(path: pattern.path, message: error.message)
        }
    }
}

/// The audience of one request.
package struct PlannedAudience: Sendable, Equatable {
    /// The tags of the audience.
    package let expression: TagExpression
    /// The language as in the configuration; `nil` if the tags contain none.
    package let locale: String?
    /// The categories of the tags, sorted.
    package let categories: [String]
    /// The categories as one text, separated by commas.
    package let categoryText: String
    /// Whether each tag is that of one user whom an event names.
    package let isForUsers: Bool

    package init(expression: TagExpression, locale: String?, categories: [String], isForUsers: Bool = false) {
        self.expression = expression
        self.locale = locale
        self.categories = categories
        self.isForUsers = isForUsers
        self.categoryText = categories.count == 1 ? categories[0] : Self.list(categories)
    }

    /// Joins the categories with commas.
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
