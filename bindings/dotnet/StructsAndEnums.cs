using ObjCRuntime;

namespace Firebase.Core
{
	[Native]
	public enum LoggerLevel : long
	{
		Error = 3,
		Warning = 4,
		Notice = 5,
		Info = 6,
		Debug = 7
	}
}

namespace Firebase.CloudMessaging
{
	[Native]
	public enum MessagingError : long
	{
		Unknown = 0,
		Authentication = 1,
		NoAccess = 2,
		Timeout = 3,
		Network = 4,
		OperationInProgress = 5,
		InvalidRequest = 7,
		InvalidTopicName = 8
	}

	[Native]
	public enum MessagingMessageStatus : long
	{
		Unknown = 0,
		New = 1
	}

	[Native]
	public enum MessagingAPNSTokenType : long
	{
		Unknown = 0,
		Sandbox = 1,
		Prod = 2
	}
}

namespace Firebase.InstanceID
{
	[Native]
	public enum InstanceIDError : long
	{
		Unknown = 0,
		Authentication = 1,
		NoAccess = 2,
		Timeout = 3,
		Network = 4,
		OperationInProgress = 5,
		InvalidRequest = 7
	}

	[Native]
	public enum InstanceIDAPNSTokenType : long
	{
		Unknown = 0,
		Sandbox = 1,
		Prod = 2
	}
}
