import PushModel

extension RegistrationStore {
    /// The device that a request of the token era comes from, when its credentials are right and its names have a
    /// bearable length. The order of the checks is that in which clients depend on them.
    func provenDevice(_ request: ClassicRegistration) throws(ClassicRegistrationError) -> DeviceCredentials {
        guard let device = request.device else { throw .authenticationFailed }
        do {
            guard try knowsDevice(androidID: device.androidID) else { throw StoreError.notFound("device") }
            guard try isDevice(device) else { throw StoreError.conflict("security token") }
        } catch StoreError.notFound {
            throw .phoneRegistrationError
        } catch StoreError.conflict {
            throw .authenticationFailed
        } catch {
            throw .serviceNotAvailable
        }
        guard request.deviceField == String(device.androidID) else { throw .phoneRegistrationError }
        guard (1...ClassicRegistrar.maximumNameCharacters).contains(request.app.utf8.count),
            max(request.subtype.utf8.count, request.scope.utf8.count) <= 4 * ClassicRegistrar.maximumNameCharacters
        else { throw .invalidParameters }
        return device
    }
}
