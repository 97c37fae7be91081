import FirebaseCore
package import FirebasePlatform
import JSON

/// The requests of the Installations API. Source: `firebaseinstallations.googleapis.com`, version 1.
package struct InstallationsRequests: Sendable {
    package var baseURL: String
    package var project: String
    package var appID: String
    package var apiKey: String
    package var bundleID: String

    private static let version = "i:\(sdkVersion)"

    package func create(_ item: InstallationsItem, heartbeats: String?) -> WebRequest {
        let body: JSONValue = [
            "fid": .string(item.id), "authVersion": "FIS_v2", "appId": .string(appID),
            "sdkVersion": .string(Self.version),
        ]
        var request = request("POST", "installations/", body: body)
        if let heartbeats { request.headers.append(.init("X-firebase-client", heartbeats)) }
        if let token = item.iidDefaultToken {
            request.headers.append(.init("x-goog-fis-ios-iid-migration-auth", token))
        }
        return request
    }

    package func generateAuthToken(_ item: InstallationsItem, heartbeats: String?) -> WebRequest {
        let body: JSONValue = ["installation": ["sdkVersion": .string(Self.version)]]
        var request = request("POST", "installations/\(item.id)/authTokens:generate", body: body)
        request.headers.append(authorization(of: item))
        if let heartbeats { request.headers.append(.init("X-firebase-client", heartbeats)) }
        return request
    }

    package func delete(_ item: InstallationsItem) -> WebRequest {
        var request = request("DELETE", "installations/\(item.id)/", body: [:])
        request.headers.append(authorization(of: item))
        return request
    }

    private func authorization(of item: InstallationsItem) -> WebRequest.Header {
        .init("Authorization", "FIS_v2 \(item.refreshToken)")
    }

    private func request(_ method: String, _ path: String, body: JSONValue) -> WebRequest {
        WebRequest(
            method: method, url: "\(baseURL)/v1/projects/\(project)/\(path)",
            headers: [
                .init("Content-Type", "application/json"),
                .init("X-Goog-Api-Key", apiKey),
                .init("X-Ios-Bundle-Identifier", bundleID),
            ],
            body: body.encoded)
    }
}
