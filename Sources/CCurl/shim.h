#pragma once
#include <curl/curl.h>

// The calls with variadic arguments, which Swift cannot make, one for each type of argument.

static inline CURLcode ccurl_set_number(CURL *handle, CURLoption option, long value) {
    return curl_easy_setopt(handle, option, value);
}

static inline CURLcode ccurl_set_text(CURL *handle, CURLoption option, const char *value) {
    return curl_easy_setopt(handle, option, value);
}

static inline CURLcode ccurl_set_pointer(CURL *handle, CURLoption option, void *value) {
    return curl_easy_setopt(handle, option, value);
}

typedef size_t (*ccurl_transfer)(char *bytes, size_t size, size_t count, void *context);

static inline CURLcode ccurl_set_function(CURL *handle, CURLoption option, ccurl_transfer function) {
    return curl_easy_setopt(handle, option, function);
}

/// Of a CURLINFO with a long; 0 where it is not known.
static inline long ccurl_number(CURL *handle, CURLINFO info) {
    long value = 0;
    curl_easy_getinfo(handle, info, &value);
    return value;
}

/// Of a CURLINFO with a text; NULL where it is not known. It lives until the next transfer.
static inline const char *ccurl_text(CURL *handle, CURLINFO info) {
    char *value = NULL;
    curl_easy_getinfo(handle, info, &value);
    return value;
}

/// CURLMSG_DONE of the only transfer: true where it has ended, with its result.
static inline int ccurl_has_ended(CURLM *multi, CURLcode *result) {
    int left;
    const CURLMsg *message = curl_multi_info_read(multi, &left);
    if (!message || message->msg != CURLMSG_DONE) return 0;
    *result = message->data.result;
    return 1;
}
