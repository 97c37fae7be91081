// The part of Apple's CoreFoundation that the SDK uses. Declarations only.
#pragma once
@import ObjectiveC;

#define CF_BRIDGED(T) __attribute__((objc_bridge(T)))
typedef signed int CFOSStatus;
typedef unsigned long CFTypeID;
typedef unsigned char Boolean;
typedef const CF_BRIDGED(id) void *CFTypeRef;
typedef const struct CF_BRIDGED(NSString) __CFString *CFStringRef;
typedef const struct CF_BRIDGED(NSData) __CFData *CFDataRef;
typedef const struct CF_BRIDGED(NSDictionary) __CFDictionary *CFDictionaryRef;
typedef const struct CF_BRIDGED(NSNumber) __CFBoolean *CFBooleanRef;

#pragma clang assume_nonnull begin
#pragma clang arc_cf_code_audited begin
extern const CFBooleanRef kCFBooleanTrue;
CFTypeID CFGetTypeID(CFTypeRef cf);
CFTypeID CFBooleanGetTypeID(void);
#pragma clang arc_cf_code_audited end
#pragma clang assume_nonnull end
