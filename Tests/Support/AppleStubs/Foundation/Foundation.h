// The part of Apple's Foundation that the SDK uses, as its Objective-C headers declare it. Declarations only. Value
// types of Swift (Data, URL, Date, Locale and so on) come from FoundationEssentials, as Foundation.swift says.
#pragma once
@import ObjectiveC;
#include "CoreFoundationPart.h"

#define NS_ASSUME_NONNULL_BEGIN _Pragma("clang assume_nonnull begin")
#define NS_ASSUME_NONNULL_END _Pragma("clang assume_nonnull end")
#define NS_ENUM(_type, _name) enum _name : _type _name; enum __attribute__((enum_extensibility(open))) _name : _type
#define NS_OPTIONS_ATTRIBUTES __attribute__((flag_enum, enum_extensibility(open)))
#define NS_OPTIONS(_type, _name) \
    enum NS_OPTIONS_ATTRIBUTES _name : _type _name; enum NS_OPTIONS_ATTRIBUTES _name : _type
#define NS_SWIFT_NAME(_name) __attribute__((swift_name(#_name)))
#define NS_SWIFT_BRIDGED(_name) __attribute__((swift_bridge(_name)))
#define NS_TYPED_EXTENSIBLE_ENUM __attribute__((swift_wrapper(struct)))
#define NS_SWIFT_UI_ACTOR __attribute__((swift_attr("@UIActor")))
#define NS_SWIFT_SENDABLE __attribute__((swift_attr("@Sendable")))
#define NS_SWIFT_NONSENDABLE __attribute__((swift_attr("@_nonSendable")))
#define NS_UNAVAILABLE __attribute__((unavailable))

NS_ASSUME_NONNULL_BEGIN

@class NSCoder;
@protocol NSCopying
@end
@protocol NSMutableCopying
@end
@protocol NSCoding
@end
@protocol NSSecureCoding <NSCoding>
@end

NS_SWIFT_SENDABLE NS_SWIFT_BRIDGED("Swift.String")
@interface NSString : NSObject <NSCopying>
@end
NS_SWIFT_SENDABLE NS_SWIFT_BRIDGED("FoundationEssentials.Data")
@interface NSData : NSObject <NSCopying>
@end
NS_SWIFT_SENDABLE NS_SWIFT_BRIDGED("FoundationEssentials.URL")
@interface NSURL : NSObject <NSCopying>
@end
NS_SWIFT_SENDABLE NS_SWIFT_BRIDGED("FoundationEssentials.Date")
@interface NSDate : NSObject <NSCopying>
@end
NS_SWIFT_BRIDGED("FoundationEssentials.DateComponents")
@interface NSDateComponents : NSObject <NSCopying>
@end
NS_SWIFT_BRIDGED("Swift.Array")
@interface NSArray<__covariant ObjectType> : NSObject <NSCopying>
@end
NS_SWIFT_BRIDGED("Swift.Dictionary")
@interface NSDictionary<__covariant KeyType, __covariant ObjectType> : NSObject <NSCopying>
@end
NS_SWIFT_BRIDGED("Swift.Set")
@interface NSSet<__covariant ObjectType> : NSObject <NSCopying>
@end
NS_SWIFT_SENDABLE
@interface NSNull : NSObject
@end
NS_SWIFT_SENDABLE
@interface NSValue : NSObject <NSCopying>
@end
@interface NSNumber : NSValue
- (instancetype)initWithBool:(BOOL)value;
- (instancetype)initWithLongLong:(long long)value;
- (instancetype)initWithInteger:(NSInteger)value NS_SWIFT_NAME(init(value:));
- (instancetype)initWithDouble:(double)value;
@property(readonly) BOOL boolValue;
@property(readonly) long long longLongValue NS_SWIFT_NAME(int64Value);
@property(readonly) NSInteger integerValue NS_SWIFT_NAME(intValue);
@property(readonly) double doubleValue;
@property(readonly) const char *objCType;
@end

#define FOUNDATION_EXPORT extern

typedef NSString *NSErrorDomain;
NS_SWIFT_SENDABLE NS_SWIFT_BRIDGED("Swift.Error")
@interface NSError : NSObject <NSCopying>
- (instancetype)initWithDomain:(NSErrorDomain)domain
                          code:(NSInteger)code
                      userInfo:(nullable NSDictionary<NSString *, id> *)dict;
@property(readonly, copy) NSErrorDomain domain;
@property(readonly) NSInteger code;
@property(readonly, copy) NSDictionary<NSString *, id> *userInfo;
@property(readonly, copy) NSString *localizedDescription;
@property(nullable, readonly, copy) NSString *localizedFailureReason;
@end
extern NSString *const NSLocalizedFailureReasonErrorKey;
extern NSString *const NSLocalizedDescriptionKey;
extern NSErrorDomain const NSURLErrorDomain;
extern NSErrorDomain const NSOSStatusErrorDomain;

typedef NSString *NSNotificationName NS_TYPED_EXTENSIBLE_ENUM NS_SWIFT_NAME(NSNotification.Name);
NS_SWIFT_BRIDGED("Foundation.Notification")
@interface NSNotification : NSObject <NSCopying>
@property(readonly, copy) NSNotificationName name;
@property(nullable, readonly, retain) id object;
@property(nullable, readonly, copy) NSDictionary *userInfo;
@end

NS_SWIFT_SENDABLE NS_SWIFT_NAME(OperationQueue)
@interface NSOperationQueue : NSObject
@property(class, readonly, strong) NSOperationQueue *mainQueue NS_SWIFT_NAME(main);
- (void)addOperationWithBlock:(void (NS_SWIFT_SENDABLE ^)(void))block;
@property NSInteger maxConcurrentOperationCount;
@end

NS_SWIFT_NAME(Thread)
@interface NSThread : NSObject
@property(class, readonly) BOOL isMainThread;
@end

NS_SWIFT_SENDABLE NS_SWIFT_NAME(Bundle)
@interface NSBundle : NSObject
@property(class, readonly, strong) NSBundle *mainBundle NS_SWIFT_NAME(main);
@property(nullable, readonly, copy) NSString *bundleIdentifier;
@property(readonly, copy) NSURL *bundleURL;
@property(nullable, readonly, copy) NSURL *resourceURL;
@property(nullable, readonly, copy) NSURL *appStoreReceiptURL;
@property(nullable, readonly, copy) NSDictionary<NSString *, id> *infoDictionary;
- (nullable id)objectForInfoDictionaryKey:(NSString *)key;
- (nullable NSURL *)URLForResource:(nullable NSString *)name
                     withExtension:(nullable NSString *)ext NS_SWIFT_NAME(url(forResource:withExtension:));
- (nullable NSString *)pathForResource:(nullable NSString *)name
                                ofType:(nullable NSString *)ext NS_SWIFT_NAME(path(forResource:ofType:));
@end

NS_SWIFT_NAME(UserDefaults)
@interface NSUserDefaults : NSObject
@property(class, readonly, strong) NSUserDefaults *standardUserDefaults NS_SWIFT_NAME(standard);
- (nullable instancetype)initWithSuiteName:(nullable NSString *)suitename;
- (nullable id)objectForKey:(NSString *)defaultName NS_SWIFT_NAME(object(forKey:));
- (void)setObject:(nullable id)value forKey:(NSString *)defaultName NS_SWIFT_NAME(set(_:forKey:));
- (void)removeObjectForKey:(NSString *)defaultName;
- (nullable NSString *)stringForKey:(NSString *)defaultName;
- (BOOL)boolForKey:(NSString *)defaultName;
@end

extern NSString *const NSUserActivityTypeBrowsingWeb;
@interface NSUserActivity : NSObject
- (instancetype)initWithActivityType:(NSString *)activityType;
@property(readonly, copy) NSString *activityType;
@property(nullable, copy) NSURL *webpageURL;
@end

typedef struct {
    NSInteger majorVersion;
    NSInteger minorVersion;
    NSInteger patchVersion;
} NSOperatingSystemVersion NS_SWIFT_NAME(OperatingSystemVersion);

NS_SWIFT_SENDABLE NS_SWIFT_NAME(URLResponse)
@interface NSURLResponse : NSObject
@property(nullable, readonly, copy) NSURL *URL;
@property(nullable, readonly, copy) NSString *MIMEType NS_SWIFT_NAME(mimeType);
@property(nullable, readonly, copy) NSString *suggestedFilename;
@property(readonly) long long expectedContentLength;
@end
NS_SWIFT_SENDABLE NS_SWIFT_NAME(HTTPURLResponse)
@interface NSHTTPURLResponse : NSURLResponse
@property(readonly) NSInteger statusCode;
@property(readonly, copy) NSDictionary *allHeaderFields;
@end

Class _Nullable NSClassFromString(NSString *aClassName);
NSString *NSStringFromClass(Class aClass);
SEL NSSelectorFromString(NSString *aSelectorName);

NS_ASSUME_NONNULL_END
