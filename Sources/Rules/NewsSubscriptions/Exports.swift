// The types that every app names: its channel, a template of its own, a time. Only these of each module, so that no name
// clashes with that of another package (`HTTPRequest`, `HTTPMethod`, `Tag`). A transport of one's own imports `HTTPTransport`.
@_exported public import protocol HTTPTransport.HTTPTransport
@_exported public import struct NotificationHubsCore.NamedValue
@_exported public import enum NotificationHubsCore.PushChannel
@_exported public import enum NotificationHubsCore.PushPlatform
@_exported public import struct NotificationHubsCore.TemplateDescription
@_exported public import struct Timestamps.Timestamp
