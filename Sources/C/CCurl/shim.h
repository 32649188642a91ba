#pragma once

#include <curl/curl.h>
#include <stdbool.h>
#include <stdint.h>
#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <sys/prctl.h>
#include <unistd.h>

// Swift cannot call variadic functions: one function for each shape of a value.

static inline CURLcode ccurl_set_long(CURL *easy, CURLoption option, long value) {
    return curl_easy_setopt(easy, option, value);
}

/// libcurl copies the text.
static inline CURLcode ccurl_set_string(CURL *easy, CURLoption option, const char *value) {
    return curl_easy_setopt(easy, option, value);
}

static inline CURLcode ccurl_set_pointer(CURL *easy, CURLoption option, const void *value) {
    return curl_easy_setopt(easy, option, value);
}

/// For `CURLOPT_WRITEFUNCTION` and `CURLOPT_HEADERFUNCTION`.
static inline CURLcode ccurl_set_write_function(CURL *easy, CURLoption option, curl_write_callback value) {
    return curl_easy_setopt(easy, option, value);
}

/// Which schemes of authentication a proxy may choose from: Negotiate, or those with a user and a password.
static inline CURLcode ccurl_set_proxy_schemes(CURL *easy, bool negotiates) {
    return curl_easy_setopt(
        easy, CURLOPT_PROXYAUTH, (long)(negotiates ? CURLAUTH_NEGOTIATE : CURLAUTH_BASIC | CURLAUTH_DIGEST | CURLAUTH_NTLM));
}

/// The socket of a handle that only connects, once it has; `CURL_SOCKET_BAD` where there is none.
static inline curl_socket_t ccurl_active_socket(CURL *easy) {
    curl_socket_t socket = CURL_SOCKET_BAD;
    return curl_easy_getinfo(easy, CURLINFO_ACTIVESOCKET, &socket) == CURLE_OK ? socket : CURL_SOCKET_BAD;
}

static inline CURLMcode ccurl_multi_set_long(CURLM *multi, CURLMoption option, long value) {
    return curl_multi_setopt(multi, option, value);
}

/// Tells libcurl whom to ask to watch sockets and to look at the clock, both with the same context.
static inline CURLMcode ccurl_multi_set_functions(
    CURLM *multi, curl_socket_callback socket, curl_multi_timer_callback timer, void *context) {
    CURLMcode code = curl_multi_setopt(multi, CURLMOPT_SOCKETFUNCTION, socket);
    if (code == CURLM_OK) code = curl_multi_setopt(multi, CURLMOPT_SOCKETDATA, context);
    if (code == CURLM_OK) code = curl_multi_setopt(multi, CURLMOPT_TIMERFUNCTION, timer);
    if (code == CURLM_OK) code = curl_multi_setopt(multi, CURLMOPT_TIMERDATA, context);
    return code;
}

/// What handles of one thread share: TLS sessions.
static inline CURLSH *ccurl_sessions_make(void) {
    CURLSH *share = curl_share_init();
    if (share != NULL) curl_share_setopt(share, CURLSHOPT_SHARE, CURL_LOCK_DATA_SSL_SESSION);
    return share;
}

/// Takes the next ended transfer from the multi handle's messages; false when there is none left.
static inline bool ccurl_next_ended(CURLM *multi, CURL **easy, CURLcode *result) {
    int left = 0;
    for (;;) {
        const CURLMsg *message = curl_multi_info_read(multi, &left);
        if (message == NULL) return false;
        if (message->msg != CURLMSG_DONE) continue;
        *easy = message->easy_handle;
        *result = message->data.result;
        return true;
    }
}

// The structure of epoll is packed, which Swift cannot express.

/// A descriptor that is ready: the tag it was registered under, and `EPOLLIN` and the like.
struct ccurl_ready {
    uint64_t tag;
    uint32_t events;
};

static inline int ccurl_poller_make(void) { return epoll_create1(EPOLL_CLOEXEC); }

/// Registers a descriptor, or changes what it is watched for.
static inline bool ccurl_poller_watch(int poller, int descriptor, uint32_t events, uint64_t tag) {
    struct epoll_event event = {.events = events, .data.u64 = tag};
    return epoll_ctl(poller, EPOLL_CTL_ADD, descriptor, &event) == 0
        || epoll_ctl(poller, EPOLL_CTL_MOD, descriptor, &event) == 0;
}

/// Changes what a registered descriptor is watched for.
static inline bool ccurl_poller_change(int poller, int descriptor, uint32_t events, uint64_t tag) {
    struct epoll_event event = {.events = events, .data.u64 = tag};
    return epoll_ctl(poller, EPOLL_CTL_MOD, descriptor, &event) == 0;
}

static inline void ccurl_poller_forget(int poller, int descriptor) {
    epoll_ctl(poller, EPOLL_CTL_DEL, descriptor, NULL);
}

/// So few that what answers allow to go out is not kept waiting for all who are ready.
#define CCURL_READY_CAPACITY 64

/// Waits for descriptors, at most `CCURL_READY_CAPACITY` of them.
static inline int ccurl_poller_wait(int poller, struct ccurl_ready *ready, int milliseconds) {
    struct epoll_event events[CCURL_READY_CAPACITY];
    int count = epoll_wait(poller, events, CCURL_READY_CAPACITY, milliseconds);
    for (int i = 0; i < count; i++) ready[i] = (struct ccurl_ready){events[i].data.u64, events[i].events};
    return count;
}

static inline int ccurl_wake_make(void) { return eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK); }

static inline void ccurl_wake_signal(int descriptor) { eventfd_write(descriptor, 1); }

/// Names the thread that calls; the kernel keeps 15 bytes.
static inline void ccurl_name_this_thread(const char *name) {
    prctl(PR_SET_NAME, name, 0, 0, 0);
}
