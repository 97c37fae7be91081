// The part of Apple's AppKit that the SDK and its samples use. Declarations only.
#pragma once
@import Foundation;

NS_ASSUME_NONNULL_BEGIN

@class NSApplication;

NS_SWIFT_UI_ACTOR
@protocol NSUserActivityRestoring <NSObject>
@end

NS_SWIFT_UI_ACTOR
@protocol NSApplicationDelegate <NSObject>
@optional
- (void)applicationDidFinishLaunching:(NSNotification *)notification;
- (void)application:(NSApplication *)application
    didRegisterForRemoteNotificationsWithDeviceToken:(NSData *)deviceToken;
- (void)application:(NSApplication *)application
    didFailToRegisterForRemoteNotificationsWithError:(NSError *)error;
- (void)application:(NSApplication *)application
    didReceiveRemoteNotification:(NSDictionary<NSString *, id> *)userInfo;
- (BOOL)application:(NSApplication *)application
    continueUserActivity:(NSUserActivity *)userActivity
      restorationHandler:
          (void (^)(NSArray<id<NSUserActivityRestoring>> *restorableObjects))restorationHandler;
@end

NS_SWIFT_UI_ACTOR
@interface NSResponder : NSObject
@end
NS_SWIFT_UI_ACTOR
@interface NSApplication : NSResponder
@property(class, readonly, strong) NSApplication *sharedApplication NS_SWIFT_NAME(shared);
@property(nullable, weak) id<NSApplicationDelegate> delegate;
@property(getter=isActive, readonly) BOOL active;
- (void)registerForRemoteNotifications;
@end
NS_SWIFT_UI_ACTOR
extern NSApplication *_Null_unspecified NSApp;
extern NSNotificationName NSApplicationDidFinishLaunchingNotification
    NS_SWIFT_NAME(NSApplication.didFinishLaunchingNotification);
extern NSNotificationName NSApplicationDidBecomeActiveNotification
    NS_SWIFT_NAME(NSApplication.didBecomeActiveNotification);
extern NSNotificationName NSApplicationDidResignActiveNotification
    NS_SWIFT_NAME(NSApplication.didResignActiveNotification);
extern NSNotificationName NSApplicationWillTerminateNotification
    NS_SWIFT_NAME(NSApplication.willTerminateNotification);

NS_ASSUME_NONNULL_END
