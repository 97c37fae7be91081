// The part of Apple's UIKit that the SDK and its samples use. Declarations only.
#pragma once
@import Foundation;
@import UserNotifications;

NS_ASSUME_NONNULL_BEGIN

#if !TARGET_OS_WATCH
@class UIApplication, UIScene, UISceneSession, UISceneConnectionOptions, UIWindow;

typedef NS_ENUM(NSInteger, UIApplicationState) {
    UIApplicationStateActive,
    UIApplicationStateInactive,
    UIApplicationStateBackground,
};
typedef NS_ENUM(NSUInteger, UIBackgroundFetchResult) {
    UIBackgroundFetchResultNewData,
    UIBackgroundFetchResultNoData,
    UIBackgroundFetchResultFailed,
};
typedef NSString *UIApplicationLaunchOptionsKey NS_TYPED_EXTENSIBLE_ENUM
    NS_SWIFT_NAME(UIApplication.LaunchOptionsKey);
typedef NSString *UIApplicationOpenURLOptionsKey NS_TYPED_EXTENSIBLE_ENUM
    NS_SWIFT_NAME(UIApplication.OpenURLOptionsKey);

NS_SWIFT_UI_ACTOR
@protocol UIUserActivityRestoring <NSObject>
@end

NS_SWIFT_UI_ACTOR
@protocol UIApplicationDelegate <NSObject>
@optional
@property(nullable, nonatomic, strong) UIWindow *window;
- (BOOL)application:(UIApplication *)application
    willFinishLaunchingWithOptions:
        (nullable NSDictionary<UIApplicationLaunchOptionsKey, id> *)launchOptions;
- (BOOL)application:(UIApplication *)application
    didFinishLaunchingWithOptions:
        (nullable NSDictionary<UIApplicationLaunchOptionsKey, id> *)launchOptions;
- (void)applicationDidBecomeActive:(UIApplication *)application;
- (void)applicationWillResignActive:(UIApplication *)application;
- (void)applicationDidEnterBackground:(UIApplication *)application;
- (void)applicationWillEnterForeground:(UIApplication *)application;
- (void)applicationWillTerminate:(UIApplication *)application;
- (void)application:(UIApplication *)application
    didRegisterForRemoteNotificationsWithDeviceToken:(NSData *)deviceToken;
- (void)application:(UIApplication *)application
    didFailToRegisterForRemoteNotificationsWithError:(NSError *)error;
- (void)application:(UIApplication *)application didReceiveRemoteNotification:(NSDictionary *)userInfo;
- (void)application:(UIApplication *)application
    didReceiveRemoteNotification:(NSDictionary *)userInfo
          fetchCompletionHandler:(void (^)(UIBackgroundFetchResult result))completionHandler;
- (BOOL)application:(UIApplication *)app
            openURL:(NSURL *)url
            options:(NSDictionary<UIApplicationOpenURLOptionsKey, id> *)options;
- (BOOL)application:(UIApplication *)application
    continueUserActivity:(NSUserActivity *)userActivity
      restorationHandler:
          (void (^)(NSArray<id<UIUserActivityRestoring>> *_Nullable restorableObjects))restorationHandler;
@end

NS_SWIFT_UI_ACTOR
@interface UIResponder : NSObject <UIUserActivityRestoring>
@end

// How apps asked the user before iOS 10.
typedef NS_OPTIONS(NSUInteger, UIUserNotificationType) {
    UIUserNotificationTypeBadge = 1 << 0,
    UIUserNotificationTypeSound = 1 << 1,
    UIUserNotificationTypeAlert = 1 << 2,
};
NS_SWIFT_UI_ACTOR
@interface UIUserNotificationSettings : NSObject
+ (instancetype)settingsForTypes:(UIUserNotificationType)types
                      categories:(nullable NSSet *)categories NS_SWIFT_NAME(init(types:categories:));
@end

NS_SWIFT_UI_ACTOR
@interface UIApplication : UIResponder
- (void)registerUserNotificationSettings:(UIUserNotificationSettings *)notificationSettings
    NS_SWIFT_NAME(registerUserNotificationSettings(_:));
@property(class, nonatomic, readonly) UIApplication *sharedApplication NS_SWIFT_NAME(shared);
@property(nullable, nonatomic, weak) id<UIApplicationDelegate> delegate;
@property(nonatomic, readonly) UIApplicationState applicationState;
@property(nonatomic, readonly) NSSet<UIScene *> *connectedScenes;
- (void)registerForRemoteNotifications;
@end
extern NSNotificationName const UIApplicationDidFinishLaunchingNotification
    NS_SWIFT_NAME(UIApplication.didFinishLaunchingNotification);
extern NSNotificationName const UIApplicationDidBecomeActiveNotification
    NS_SWIFT_NAME(UIApplication.didBecomeActiveNotification);
extern NSNotificationName const UIApplicationWillResignActiveNotification
    NS_SWIFT_NAME(UIApplication.willResignActiveNotification);
extern NSNotificationName const UIApplicationDidEnterBackgroundNotification
    NS_SWIFT_NAME(UIApplication.didEnterBackgroundNotification);
extern NSNotificationName const UIApplicationWillEnterForegroundNotification
    NS_SWIFT_NAME(UIApplication.willEnterForegroundNotification);
extern NSNotificationName const UIApplicationWillTerminateNotification
    NS_SWIFT_NAME(UIApplication.willTerminateNotification);

typedef NS_ENUM(NSInteger, UISceneActivationState) {
    UISceneActivationStateUnattached = -1,
    UISceneActivationStateForegroundActive,
    UISceneActivationStateForegroundInactive,
    UISceneActivationStateBackground,
} NS_SWIFT_NAME(UIScene.ActivationState);

NS_SWIFT_UI_ACTOR
@protocol UISceneDelegate <NSObject>
@optional
- (void)scene:(UIScene *)scene
    willConnectToSession:(UISceneSession *)session
                 options:(UISceneConnectionOptions *)connectionOptions;
- (void)scene:(UIScene *)scene continueUserActivity:(NSUserActivity *)userActivity;
@end
NS_SWIFT_UI_ACTOR
@protocol UIWindowSceneDelegate <UISceneDelegate>
@optional
@property(nullable, nonatomic, strong) UIWindow *window;
@end
NS_SWIFT_UI_ACTOR NS_SWIFT_NAME(UIScene.ConnectionOptions)
@interface UISceneConnectionOptions : NSObject
#if !TARGET_OS_TV
@property(nullable, nonatomic, readonly) UNNotificationResponse *notificationResponse;
#endif
@end
NS_SWIFT_UI_ACTOR
@interface UISceneSession : NSObject
@end
NS_SWIFT_UI_ACTOR
@interface UIScene : UIResponder
@property(nullable, nonatomic, strong) id<UISceneDelegate> delegate;
@property(nonatomic, readonly) UISceneActivationState activationState;
@end
@interface UIWindowScene : UIScene
@end

// The views of the samples.

NS_SWIFT_UI_ACTOR
@interface UIView : UIResponder
@property(nullable, nonatomic, copy) id backgroundColor;
- (void)addSubview:(UIView *)view;
@end
NS_SWIFT_UI_ACTOR
@interface UIViewController : UIResponder
@property(null_resettable, nonatomic, strong) UIView *view;
- (void)viewDidLoad;
@end
NS_SWIFT_UI_ACTOR
@interface UIWindow : UIView
- (instancetype)initWithWindowScene:(UIWindowScene *)windowScene;
@property(nullable, nonatomic, strong) UIViewController *rootViewController;
- (void)makeKeyAndVisible;
@end
NS_SWIFT_UI_ACTOR
@interface UITextView : UIView
@property(null_resettable, nonatomic, copy) NSString *text;
@end
#endif

NS_ASSUME_NONNULL_END
