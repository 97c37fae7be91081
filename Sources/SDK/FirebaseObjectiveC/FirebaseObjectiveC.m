#import "FirebaseObjectiveC.h"

#if __OBJC__ && __APPLE__
NSNotificationName const FIRMessagingSendSuccessNotification = @"com.firebase.messaging.notif.send-success";
NSNotificationName const FIRMessagingSendErrorNotification = @"com.firebase.messaging.notif.send-error";
NSNotificationName const FIRMessagingMessagesDeletedNotification = @"com.firebase.messaging.notif.messages-deleted";
NSNotificationName const FIRMessagingConnectionStateChangedNotification =
    @"com.firebase.messaging.notif.connection-state-changed";
NSNotificationName const FIRMessagingRegistrationTokenRefreshedNotification =
    @"com.firebase.messaging.notif.fcm-token-refreshed";
NSNotificationName const kFIRMessagingRegistrationTokenRefreshNotification =
    @"com.firebase.messaging.notif.fcm-token-refreshed";
NSNotificationName const FIRMessagingInstallationIdUnregisteredNotification =
    @"com.firebase.messaging.notif.installation-id-unregistered";
NSErrorDomain const FIRMessagingErrorDomain = @"com.google.fcm";

NSNotificationName const kFIRInstanceIDTokenRefreshNotification = @"com.firebase.iid.notif.refresh-token";
NSString *const kFIRInstanceIDScopeFirebaseMessaging = @"fcm";

NSErrorDomain const FIRInstallationsErrorDomain = @"com.firebase.installations";
NSNotificationName const FIRInstallationIDDidChangeNotification = @"FIRInstallationIDDidChangeNotification";
NSString *const kFIRInstallationIDDidChangeNotificationAppNameKey = @"FIRInstallationIDDidChangeNotificationAppName";
#endif
