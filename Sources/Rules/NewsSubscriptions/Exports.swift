// The types that every app uses: its channel, a custom template, a time. Only these are exported from each module, so that no
// name clashes with that of another package (`HTTPRequest`, `HTTPMethod`, `Tag`). A custom transport imports
// `NewsflashHTTPTransport`.
@_exported public import protocol NewsflashHTTPTransport.HTTPTransport
@_exported public import struct NewsflashTimestamps.Timestamp
@_exported public import struct NotificationHubsCore.NamedValue
@_exported public import struct NotificationHubsCore.PushChannel
@_exported public import struct NotificationHubsCore.PushPlatform
@_exported public import struct NotificationHubsCore.TemplateDescription
