using System;
using Foundation;
using ObjCRuntime;
using UserNotifications;

namespace Firebase.Core
{
	[DisableDefaultCtor]
	[BaseType (typeof (NSObject), Name = "FIRApp")]
	interface App
	{
		[Static]
		[Export ("configure")]
		void Configure ();

		[Static]
		[Export ("configureWithOptions:")]
		void Configure (Options options);

		[Static]
		[Export ("configureWithName:options:")]
		void Configure (string name, Options options);

		[Static]
		[NullAllowed]
		[Export ("defaultApp")]
		App DefaultInstance { get; }

		[Static]
		[return: NullAllowed]
		[Export ("appNamed:")]
		App From (string name);

		[Export ("name")]
		string Name { get; }

		[Export ("options")]
		Options Options { get; }

		[Async]
		[Export ("deleteApp:")]
		void Delete (Action<bool> completion);

		[Export ("dataCollectionDefaultEnabled")]
		bool DataCollectionDefaultEnabled { [Bind ("isDataCollectionDefaultEnabled")] get; set; }
	}

	[DisableDefaultCtor]
	[BaseType (typeof (NSObject), Name = "FIROptions")]
	interface Options : INSCopying
	{
		[Static]
		[NullAllowed]
		[Export ("defaultOptions")]
		Options DefaultInstance { get; }

		[Export ("initWithContentsOfFile:")]
		NativeHandle Constructor (string plistPath);

		[Export ("initWithGoogleAppID:GCMSenderID:")]
		NativeHandle Constructor (string googleAppId, string gcmSenderId);

		[NullAllowed]
		[Export ("APIKey")]
		string ApiKey { get; set; }

		[Export ("bundleID")]
		string BundleId { get; set; }

		[NullAllowed]
		[Export ("clientID")]
		string ClientId { get; set; }

		[Export ("GCMSenderID")]
		string GcmSenderId { get; set; }

		[NullAllowed]
		[Export ("projectID")]
		string ProjectId { get; set; }

		[Export ("googleAppID")]
		string GoogleAppId { get; set; }

		[NullAllowed]
		[Export ("databaseURL")]
		string DatabaseUrl { get; set; }

		[NullAllowed]
		[Export ("storageBucket")]
		string StorageBucket { get; set; }

		[NullAllowed]
		[Export ("appGroupID")]
		string AppGroupId { get; set; }

		// Where a server of your own is.
		[NullAllowed]
		[Export ("serverURL")]
		string ServerUrl { get; set; }

		[NullAllowed]
		[Export ("directChannel")]
		string DirectChannel { get; set; }
	}

	[DisableDefaultCtor]
	[BaseType (typeof (NSObject), Name = "FIRConfiguration")]
	interface Configuration
	{
		[Static]
		[Export ("sharedInstance")]
		Configuration SharedInstance { get; }

		[Export ("setLoggerLevel:")]
		void SetLoggerLevel (LoggerLevel loggerLevel);
	}
}

namespace Firebase.Installations
{
	delegate void InstallationIdHandler ([NullAllowed] string identifier, [NullAllowed] NSError error);
	delegate void AuthTokenHandler ([NullAllowed] InstallationsAuthTokenResult result, [NullAllowed] NSError error);

	[DisableDefaultCtor]
	[BaseType (typeof (NSObject), Name = "FIRInstallationsAuthTokenResult")]
	interface InstallationsAuthTokenResult
	{
		[Export ("authToken")]
		string AuthToken { get; }

		[Export ("expirationDate")]
		NSDate ExpirationDate { get; }
	}

	[DisableDefaultCtor]
	[BaseType (typeof (NSObject), Name = "FIRInstallations")]
	interface Installations
	{
		[Notification]
		[Field ("FIRInstallationIDDidChangeNotification", "__Internal")]
		NSString IdDidChangeNotification { get; }

		[Static]
		[Export ("installations")]
		Installations DefaultInstance { get; }

		[Static]
		[Export ("installationsWithApp:")]
		Installations From (Firebase.Core.App app);

		[Async]
		[Export ("installationIDWithCompletion:")]
		void GetInstallationId (InstallationIdHandler completion);

		[Async]
		[Export ("authTokenWithCompletion:")]
		void GetAuthToken (AuthTokenHandler completion);

		[Async]
		[Export ("authTokenForcingRefresh:completion:")]
		void GetAuthToken (bool forceRefresh, AuthTokenHandler completion);

		[Async]
		[Export ("deleteWithCompletion:")]
		void Delete (Action<NSError> completion);
	}
}

namespace Firebase.CloudMessaging
{
	delegate void FcmTokenHandler ([NullAllowed] string fcmToken, [NullAllowed] NSError error);

	[DisableDefaultCtor]
	[BaseType (typeof (NSObject), Name = "FIRMessagingMessageInfo")]
	interface MessageInfo
	{
		[Export ("status")]
		MessagingMessageStatus Status { get; }
	}

	[DisableDefaultCtor]
	[BaseType (typeof (NSObject), Name = "FIRMessagingRemoteMessage")]
	interface RemoteMessage
	{
		[Export ("appData")]
		NSDictionary AppData { get; }

		[Export ("messageID")]
		string MessageId { get; }
	}

	interface IMessagingDelegate
	{
	}

	[Model]
	[Protocol (Name = "FIRMessagingDelegate")]
	[BaseType (typeof (NSObject), Name = "FIRMessagingDelegate")]
	interface MessagingDelegate
	{
		[Export ("messaging:didReceiveRegistrationToken:")]
		void DidReceiveRegistrationToken (Messaging messaging, [NullAllowed] string fcmToken);

		[Export ("messaging:didReceiveRegistration:")]
		void DidReceiveRegistration (Messaging messaging, [NullAllowed] string installationId);

		[Export ("messaging:didUnregister:")]
		void DidUnregister (Messaging messaging, string installationId);

		[Export ("messaging:didReceiveMessage:")]
		void DidReceiveMessage (Messaging messaging, RemoteMessage remoteMessage);

		[Export ("messaging:didRefreshRegistrationToken:")]
		void DidRefreshRegistrationToken (Messaging messaging, string fcmToken);

		[Export ("applicationReceivedRemoteMessage:")]
		void ApplicationReceivedRemoteMessage (RemoteMessage remoteMessage);
	}

	[DisableDefaultCtor]
	[BaseType (typeof (NSObject), Name = "FIRMessaging")]
	interface Messaging
	{
		[Static]
		[Export ("messaging")]
		Messaging SharedInstance { get; }

		[Notification]
		[Field ("FIRMessagingRegistrationTokenRefreshedNotification", "__Internal")]
		NSString RegistrationTokenRefreshedNotification { get; }

		[Notification]
		[Field ("FIRMessagingInstallationIdUnregisteredNotification", "__Internal")]
		NSString InstallationIdUnregisteredNotification { get; }

		[Notification]
		[Field ("FIRMessagingConnectionStateChangedNotification", "__Internal")]
		NSString ConnectionStateChangedNotification { get; }

		[Notification]
		[Field ("FIRMessagingMessagesDeletedNotification", "__Internal")]
		NSString MessagesDeletedNotification { get; }

		[Notification]
		[Field ("FIRMessagingSendSuccessNotification", "__Internal")]
		NSString SendSuccessNotification { get; }

		[Notification]
		[Field ("FIRMessagingSendErrorNotification", "__Internal")]
		NSString SendErrorNotification { get; }

		[Static]
		[Export ("extensionHelper")]
		MessagingExtensionHelper ExtensionHelper { get; }

		[NullAllowed]
		[Export ("delegate", ArgumentSemantic.Weak)]
		IMessagingDelegate Delegate { get; set; }

		[NullAllowed]
		[Export ("APNSToken")]
		NSData ApnsToken { get; set; }

		[Export ("setAPNSToken:type:")]
		void SetApnsToken (NSData apnsToken, MessagingAPNSTokenType type);

		[Export ("autoInitEnabled")]
		bool AutoInitEnabled { [Bind ("isAutoInitEnabled")] get; set; }

		[Export ("installationIdEnabled")]
		bool InstallationIdEnabled { [Bind ("isInstallationIdEnabled")] get; }

		[NullAllowed]
		[Export ("FCMToken")]
		string FcmToken { get; }

		[Async]
		[Export ("tokenWithCompletion:")]
		void FetchToken (FcmTokenHandler completion);

		[Async]
		[Export ("deleteTokenWithCompletion:")]
		void DeleteToken (Action<NSError> completion);

		[Async]
		[Export ("retrieveFCMTokenForSenderID:completion:")]
		void RetrieveFcmToken (string senderId, FcmTokenHandler completion);

		[Async]
		[Export ("deleteFCMTokenForSenderID:completion:")]
		void DeleteFcmToken (string senderId, Action<NSError> completion);

		[Async]
		[Export ("registerWithCompletion:")]
		void Register (Action<NSError> completion);

		[Async]
		[Export ("unregisterWithCompletion:")]
		void Unregister (Action<NSError> completion);

		[Async]
		[Export ("deleteDataWithCompletion:")]
		void DeleteData (Action<NSError> completion);

		[Export ("subscribeToTopic:")]
		void Subscribe (string topic);

		[Async]
		[Export ("subscribeToTopic:completion:")]
		void Subscribe (string topic, [NullAllowed] Action<NSError> completion);

		[Export ("unsubscribeFromTopic:")]
		void Unsubscribe (string topic);

		[Async]
		[Export ("unsubscribeFromTopic:completion:")]
		void Unsubscribe (string topic, [NullAllowed] Action<NSError> completion);

		[Export ("appDidReceiveMessage:")]
		MessageInfo AppDidReceiveMessage (NSDictionary message);

		[Export ("appDidDismissMessage:")]
		void AppDidDismissMessage (NSDictionary message);

		[Export ("shouldEstablishDirectChannel")]
		bool ShouldEstablishDirectChannel { get; set; }

		[Export ("isDirectChannelEstablished")]
		bool IsDirectChannelEstablished { get; }

		[Async]
		[Export ("connectWithCompletion:")]
		void Connect (Action<NSError> completion);

		[Export ("disconnect")]
		void Disconnect ();

		[Export ("sendMessage:to:withMessageID:timeToLive:")]
		void SendMessage (NSDictionary message, string receiver, string messageId, long ttl);
	}
}

namespace Firebase.CloudMessaging
{
	[BaseType (typeof (NSObject), Name = "FIRMessagingExtensionHelper")]
	interface MessagingExtensionHelper
	{
		[Export ("populateNotificationContent:withContentHandler:")]
		void PopulateNotificationContent (UNMutableNotificationContent content, Action<UNNotificationContent> contentHandler);

		[Export ("exportDeliveryMetricsToBigQueryWithMessageInfo:")]
		void ExportDeliveryMetrics (NSDictionary messageInfo);
	}
}

namespace Firebase.InstanceID
{
	delegate void InstanceIdTokenHandler ([NullAllowed] string token, [NullAllowed] NSError error);
	delegate void InstanceIdHandler ([NullAllowed] string identity, [NullAllowed] NSError error);
	delegate void InstanceIdResultHandler ([NullAllowed] InstanceIdResult result, [NullAllowed] NSError error);

	[DisableDefaultCtor]
	[BaseType (typeof (NSObject), Name = "FIRInstanceIDResult")]
	interface InstanceIdResult : INSCopying
	{
		[Export ("instanceID")]
		string InstanceId { get; }

		[Export ("token")]
		string Token { get; }
	}

	[DisableDefaultCtor]
	[BaseType (typeof (NSObject), Name = "FIRInstanceID")]
	interface InstanceId
	{
		[Notification]
		[Field ("kFIRInstanceIDTokenRefreshNotification", "__Internal")]
		NSString TokenRefreshNotification { get; }

		[Static]
		[Export ("instanceID")]
		InstanceId SharedInstance { get; }

		[NullAllowed]
		[Export ("token")]
		string Token { get; }

		[Export ("setAPNSToken:type:")]
		void SetApnsToken (NSData token, InstanceIDAPNSTokenType type);

		[Async]
		[Export ("instanceIDWithHandler:")]
		void GetInstanceId (InstanceIdResultHandler handler);

		[Async]
		[Export ("tokenWithAuthorizedEntity:scope:options:handler:")]
		void GetToken (string authorizedEntity, string scope, [NullAllowed] NSDictionary options, InstanceIdTokenHandler handler);

		[Async]
		[Export ("deleteTokenWithAuthorizedEntity:scope:handler:")]
		void DeleteToken (string authorizedEntity, string scope, Action<NSError> handler);

		[Async]
		[Export ("getIDWithHandler:")]
		void GetId (InstanceIdHandler handler);

		[Async]
		[Export ("deleteIDWithHandler:")]
		void DeleteId (Action<NSError> handler);
	}
}
