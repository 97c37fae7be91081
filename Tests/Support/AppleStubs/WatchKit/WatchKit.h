// The part of Apple's WatchKit that the SDK and its samples use. Declarations only.
#pragma once
@import Foundation;

NS_ASSUME_NONNULL_BEGIN

typedef NS_ENUM(NSUInteger, WKBackgroundFetchResult) {
    WKBackgroundFetchResultNewData,
    WKBackgroundFetchResultNoData,
    WKBackgroundFetchResultFailed,
};
typedef NS_ENUM(NSInteger, WKApplicationState) {
    WKApplicationStateActive,
    WKApplicationStateInactive,
    WKApplicationStateBackground,
};

NS_SWIFT_UI_ACTOR
@protocol WKExtensionDelegate <NSObject>
@optional
- (void)didRegisterForRemoteNotificationsWithDeviceToken:(NSData *)deviceToken;
- (void)didFailToRegisterForRemoteNotificationsWithError:(NSError *)error;
- (void)didReceiveRemoteNotification:(NSDictionary *)userInfo
              fetchCompletionHandler:(void (^)(WKBackgroundFetchResult result))completionHandler;
- (void)handleUserActivity:(nullable NSDictionary *)userInfo;
@end
NS_SWIFT_UI_ACTOR
@protocol WKApplicationDelegate <NSObject>
@optional
- (void)applicationDidFinishLaunching;
- (void)didRegisterForRemoteNotificationsWithDeviceToken:(NSData *)deviceToken;
- (void)didFailToRegisterForRemoteNotificationsWithError:(NSError *)error;
- (void)didReceiveRemoteNotification:(NSDictionary *)userInfo
              fetchCompletionHandler:(void (^)(WKBackgroundFetchResult result))completionHandler;
- (void)handleUserActivity:(NSUserActivity *)userActivity NS_SWIFT_NAME(handle(_:));
@end

NS_SWIFT_UI_ACTOR
@interface WKExtension : NSObject
+ (WKExtension *)sharedExtension NS_SWIFT_NAME(shared());
@property(nonatomic, weak, nullable) id<WKExtensionDelegate> delegate;
@end
NS_SWIFT_UI_ACTOR
@interface WKApplication : NSObject
+ (WKApplication *)sharedApplication NS_SWIFT_NAME(shared());
@property(nonatomic, readonly, weak, nullable) id<WKApplicationDelegate> delegate;
@property(nonatomic, readonly) WKApplicationState applicationState;
- (void)registerForRemoteNotifications;
- (void)openSystemURL:(NSURL *)url;
@end
extern NSNotificationName const WKApplicationDidFinishLaunchingNotification
    NS_SWIFT_NAME(WKApplication.didFinishLaunchingNotification);
extern NSNotificationName const WKApplicationDidBecomeActiveNotification
    NS_SWIFT_NAME(WKApplication.didBecomeActiveNotification);
extern NSNotificationName const WKApplicationWillResignActiveNotification
    NS_SWIFT_NAME(WKApplication.willResignActiveNotification);
extern NSNotificationName const WKApplicationDidEnterBackgroundNotification
    NS_SWIFT_NAME(WKApplication.didEnterBackgroundNotification);
extern NSNotificationName const WKApplicationWillEnterForegroundNotification
    NS_SWIFT_NAME(WKApplication.willEnterForegroundNotification);

NS_ASSUME_NONNULL_END
