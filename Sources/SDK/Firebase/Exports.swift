// `import Firebase` is enough for everything, as it was with the umbrella pod.
@_exported public import FirebaseCore
@_exported public import FirebaseInstallations
@_exported public import FirebaseInstanceID
@_exported public import FirebaseMessaging
