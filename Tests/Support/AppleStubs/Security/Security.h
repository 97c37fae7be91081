// The part of Apple's Security that the SDK uses. Declarations only.
#pragma once
@import Foundation;
#include <stdint.h>

#pragma clang assume_nonnull begin
#pragma clang arc_cf_code_audited begin

#define CF_RETURNS_RETAINED __attribute__((cf_returns_retained))
typedef int32_t OSStatus;
enum {
    errSecSuccess = 0,
    errSecDuplicateItem = -25299,
    errSecItemNotFound = -25300,
    errSecInteractionNotAllowed = -25308,
    errSecMissingEntitlement = -34018,
};

OSStatus SecItemCopyMatching(CFDictionaryRef query, CFTypeRef _Nullable *_Nullable CF_RETURNS_RETAINED result);
OSStatus SecItemAdd(CFDictionaryRef attributes, CFTypeRef _Nullable *_Nullable CF_RETURNS_RETAINED result);
OSStatus SecItemUpdate(CFDictionaryRef query, CFDictionaryRef attributesToUpdate);
OSStatus SecItemDelete(CFDictionaryRef query);

typedef const struct __SecRandom *SecRandomRef;
extern const SecRandomRef _Nullable kSecRandomDefault;
int SecRandomCopyBytes(SecRandomRef _Nullable rnd, size_t count, void *bytes);

extern const CFStringRef kSecClass;
extern const CFStringRef kSecClassGenericPassword;
extern const CFStringRef kSecAttrGeneric;
extern const CFStringRef kSecAttrService;
extern const CFStringRef kSecAttrAccount;
extern const CFStringRef kSecAttrAccessGroup;
extern const CFStringRef kSecAttrAccessible;
extern const CFStringRef kSecAttrAccessibleAfterFirstUnlockThisDeviceOnly;
extern const CFStringRef kSecAttrSynchronizable;
extern const CFStringRef kSecUseDataProtectionKeychain;
extern const CFStringRef kSecValueData;
extern const CFStringRef kSecReturnData;
extern const CFStringRef kSecReturnAttributes;
extern const CFStringRef kSecMatchLimit;
extern const CFStringRef kSecMatchLimitOne;
extern const CFStringRef kSecMatchLimitAll;

#pragma clang arc_cf_code_audited end
#pragma clang assume_nonnull end
