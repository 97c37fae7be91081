// The part of Apple's UserNotifications that the SDK and its samples use. Declarations only.
#pragma once
@import Foundation;

NS_ASSUME_NONNULL_BEGIN

@class UNUserNotificationCenter;

typedef NS_OPTIONS(NSUInteger, UNAuthorizationOptions) {
    UNAuthorizationOptionBadge = (1 << 0),
    UNAuthorizationOptionSound = (1 << 1),
    UNAuthorizationOptionAlert = (1 << 2),
    UNAuthorizationOptionProvisional = (1 << 6),
};
typedef NS_OPTIONS(NSUInteger, UNNotificationPresentationOptions) {
    UNNotificationPresentationOptionBadge = (1 << 0),
    UNNotificationPresentationOptionSound = (1 << 1),
    UNNotificationPresentationOptionAlert = (1 << 2),
    UNNotificationPresentationOptionList = (1 << 3),
    UNNotificationPresentationOptionBanner = (1 << 4),
};

typedef NSString *UNNotificationSoundName NS_TYPED_EXTENSIBLE_ENUM;
@interface UNNotificationSound : NSObject <NSCopying>
@property(class, nonatomic, copy, readonly) UNNotificationSound *defaultSound NS_SWIFT_NAME(default);
#if !TARGET_OS_TV && !TARGET_OS_WATCH
+ (instancetype)soundNamed:(UNNotificationSoundName)name NS_SWIFT_NAME(init(named:));
#endif
@end

#if !TARGET_OS_TV
@interface UNNotificationAttachment : NSObject <NSCopying>
@property(nonatomic, readonly, copy) NSString *identifier;
@property(nonatomic, readonly, copy) NSURL *URL;
+ (nullable instancetype)attachmentWithIdentifier:(NSString *)identifier
                                              URL:(NSURL *)URL
                                          options:(nullable NSDictionary *)options
                                            error:(NSError *_Nullable *_Nullable)error;
@end
#endif

@interface UNNotificationContent : NSObject <NSCopying, NSMutableCopying>
@property(nullable, nonatomic, readonly, copy) NSNumber *badge;
#if !TARGET_OS_TV
@property(nonatomic, readonly, copy) NSArray<UNNotificationAttachment *> *attachments;
@property(nonatomic, readonly, copy) NSString *title;
@property(nonatomic, readonly, copy) NSString *body;
@property(nonatomic, readonly, copy) NSString *categoryIdentifier;
@property(nonatomic, readonly, copy) NSDictionary *userInfo;
@property(nullable, nonatomic, readonly, copy) UNNotificationSound *sound;
#endif
@end
@interface UNMutableNotificationContent : UNNotificationContent
@property(nullable, nonatomic, copy) NSNumber *badge;
#if !TARGET_OS_TV
@property(nonatomic, copy) NSArray<UNNotificationAttachment *> *attachments;
@property(nonatomic, copy) NSString *title;
@property(nonatomic, copy) NSString *body;
@property(nonatomic, copy) NSString *categoryIdentifier;
@property(nonatomic, copy) NSDictionary *userInfo;
@property(nullable, nonatomic, copy) UNNotificationSound *sound;
#endif
@end

@interface UNNotificationTrigger : NSObject <NSCopying>
@end
@interface UNCalendarNotificationTrigger : UNNotificationTrigger
+ (instancetype)triggerWithDateMatchingComponents:(NSDateComponents *)dateComponents repeats:(BOOL)repeats;
@end
@interface UNNotificationRequest : NSObject <NSCopying>
@property(nonatomic, readonly, copy) NSString *identifier;
@property(nonatomic, readonly, copy) UNNotificationContent *content;
+ (instancetype)requestWithIdentifier:(NSString *)identifier
                              content:(UNNotificationContent *)content
                              trigger:(nullable UNNotificationTrigger *)trigger;
@end
@interface UNNotification : NSObject <NSCopying>
@property(nonatomic, readonly, copy) NSDate *date;
@property(nonatomic, readonly, copy) UNNotificationRequest *request;
@end
#if !TARGET_OS_TV
FOUNDATION_EXPORT NSString *const UNNotificationDefaultActionIdentifier;
FOUNDATION_EXPORT NSString *const UNNotificationDismissActionIdentifier;

@interface UNNotificationAction : NSObject <NSCopying>
@end
typedef NS_OPTIONS(NSUInteger, UNNotificationCategoryOptions) {
    UNNotificationCategoryOptionCustomDismissAction = (1 << 0),
};
@interface UNNotificationCategory : NSObject <NSCopying>
@property(nonatomic, readonly, copy) NSString *identifier;
@property(nonatomic, readonly) UNNotificationCategoryOptions options;
+ (instancetype)categoryWithIdentifier:(NSString *)identifier
                               actions:(NSArray<UNNotificationAction *> *)actions
                     intentIdentifiers:(NSArray<NSString *> *)intentIdentifiers
                               options:(UNNotificationCategoryOptions)options;
@end

@interface UNNotificationResponse : NSObject <NSCopying>
@property(nonatomic, readonly, copy) UNNotification *notification;
@property(nonatomic, readonly, copy) NSString *actionIdentifier;
@end
#endif

@protocol UNUserNotificationCenterDelegate <NSObject>
@optional
- (void)userNotificationCenter:(UNUserNotificationCenter *)center
       willPresentNotification:(UNNotification *)notification
         withCompletionHandler:(void (^)(UNNotificationPresentationOptions options))completionHandler;
#if !TARGET_OS_TV
- (void)userNotificationCenter:(UNUserNotificationCenter *)center
    didReceiveNotificationResponse:(UNNotificationResponse *)response
             withCompletionHandler:(void (^)(void))completionHandler;
#endif
@end

@interface UNUserNotificationCenter : NSObject
@property(nullable, nonatomic, weak) id<UNUserNotificationCenterDelegate> delegate;
+ (UNUserNotificationCenter *)currentNotificationCenter NS_SWIFT_NAME(current());
- (void)requestAuthorizationWithOptions:(UNAuthorizationOptions)options
                      completionHandler:
                          (void (NS_SWIFT_SENDABLE ^)(BOOL granted, NSError *_Nullable error))completionHandler;
#if !TARGET_OS_TV
- (void)setNotificationCategories:(NSSet<UNNotificationCategory *> *)categories;
#endif
- (void)addNotificationRequest:(UNNotificationRequest *)request
         withCompletionHandler:
             (nullable void (NS_SWIFT_SENDABLE ^)(NSError *_Nullable error))completionHandler
    NS_SWIFT_NAME(add(_:withCompletionHandler:));
@end

#if !TARGET_OS_TV
@interface UNNotificationServiceExtension : NSObject
- (void)didReceiveNotificationRequest:(UNNotificationRequest *)request
                   withContentHandler:(void (^)(UNNotificationContent *contentToDeliver))contentHandler;
- (void)serviceExtensionTimeWillExpire;
@end
#endif

NS_ASSUME_NONNULL_END
