#pragma once
#include <microhttpd.h>
#include <string.h>

// MHD_start_daemon is variadic, which Swift does not import; and MHD takes percent-encoding apart unless told otherwise.

/// What the daemon is started with.
struct cmhd_options {
    MHD_socket listen_socket;
    unsigned int connection_limit;
    unsigned int idle_timeout_seconds;
    unsigned int threads;
    size_t connection_memory;
};

/// Leaves the text as it was sent.
static size_t cmhd_keep_escapes(void *cls, struct MHD_Connection *connection, char *text) {
    (void)cls;
    (void)connection;
    return strlen(text);
}

/// Starts a daemon with its own epoll threads on a listening socket; NULL with errno set when it cannot.
static inline struct MHD_Daemon *cmhd_start(
    struct cmhd_options options,
    void *context,
    MHD_NotifyConnectionCallback on_connection,
    void *(*on_request_line)(void *cls, const char *uri, struct MHD_Connection *connection),
    MHD_AccessHandlerCallback on_request,
    MHD_RequestCompletedCallback on_completed
) {
    struct MHD_OptionItem pool[] = {
        {MHD_OPTION_THREAD_POOL_SIZE, (intptr_t)options.threads, NULL},
        {MHD_OPTION_END, 0, NULL},
    };
    struct MHD_OptionItem none[] = {{MHD_OPTION_END, 0, NULL}};
    return MHD_start_daemon(
        MHD_USE_EPOLL_INTERNAL_THREAD | MHD_ALLOW_SUSPEND_RESUME, 0, NULL, NULL, on_request, context,
        MHD_OPTION_LISTEN_SOCKET, options.listen_socket,
        MHD_OPTION_CONNECTION_LIMIT, options.connection_limit,
        MHD_OPTION_CONNECTION_TIMEOUT, options.idle_timeout_seconds,
        MHD_OPTION_CONNECTION_MEMORY_LIMIT, options.connection_memory,
        MHD_OPTION_UNESCAPE_CALLBACK, &cmhd_keep_escapes, NULL,
        MHD_OPTION_NOTIFY_CONNECTION, on_connection, context,
        MHD_OPTION_URI_LOG_CALLBACK, on_request_line, context,
        MHD_OPTION_NOTIFY_COMPLETED, on_completed, context,
        MHD_OPTION_ARRAY, options.threads > 1 ? pool : none,
        MHD_OPTION_END
    );
}

/// The socket of a connection; MHD_get_connection_info is variadic as well.
static inline MHD_socket cmhd_socket(struct MHD_Connection *connection) {
    const union MHD_ConnectionInfo *info = MHD_get_connection_info(connection, MHD_CONNECTION_INFO_CONNECTION_FD);
    return info ? info->connect_fd : MHD_INVALID_SOCKET;
}

/// What the callback for the connection's start has kept with it.
static inline void *cmhd_socket_context(struct MHD_Connection *connection) {
    const union MHD_ConnectionInfo *info = MHD_get_connection_info(connection, MHD_CONNECTION_INFO_SOCKET_CONTEXT);
    return info ? info->socket_context : NULL;
}
