/// Certificates for tests, good for a hundred years: an authority, and a server certificate that it signed for
/// `localhost`, `service.example` and 127.0.0.1.
public enum TestCertificates {
    public static let authority = Array(authorityText.utf8)
    public static let chain = Array(chainText.utf8)
    public static let key = Array(keyText.utf8)
    /// An authority that signed nothing.
    public static let otherAuthority = Array(otherAuthorityText.utf8)

    private static let authorityText = """
        -----BEGIN CERTIFICATE-----
        MIIBpzCCAU2gAwIBAgIUUfa5rmA21f7SB/1g9UrLKXCkznwwCgYIKoZIzj0EAwIw
        IDEeMBwGA1UEAwwVUGhhcm9zIHRlc3QgYXV0aG9yaXR5MCAXDTI2MTEzMDIwNDE1
        NFoYDzIxMjYxMTA2MjA0MTU0WjAgMR4wHAYDVQQDDBVQaGFyb3MgdGVzdCBhdXRo
        b3JpdHkwWTATBgcqhkjOPQIBBggqhkjOPQMBBwNCAAREd9Rw2Qhnq+k8ypWJ0hHS
        dQKw2BoL9zg2CKVJCkr7SigQXyjVls6JhtfLoYDFiRDUOfYc0odIsVVB6qgugPHv
        o2MwYTAdBgNVHQ4EFgQUSQWmEABVP5jGsg+xklvWlK8pkvQwHwYDVR0jBBgwFoAU
        SQWmEABVP5jGsg+xklvWlK8pkvQwDwYDVR0TAQH/BAUwAwEB/zAOBgNVHQ8BAf8E
        BAMCAgQwCgYIKoZIzj0EAwIDSAAwRQIgTzeGhi2+Zkp9S+rwBoIPe9g4rzR81PWE
        DBE9CEPUxuYCIQDLS/WrQiaLYuomFCkW1OU8YHYViep37svjDXrTpq/Glg==
        -----END CERTIFICATE-----
        """

    private static let chainText = """
        -----BEGIN CERTIFICATE-----
        MIIByDCCAW6gAwIBAgIUbDGexq+XiF+KPJOzQhOe3e0/+WIwCgYIKoZIzj0EAwIw
        IDEeMBwGA1UEAwwVUGhhcm9zIHRlc3QgYXV0aG9yaXR5MCAXDTI2MTEzMDIwNDE1
        NFoYDzIxMjYxMTA2MjA0MTU0WjAUMRIwEAYDVQQDDAlsb2NhbGhvc3QwWTATBgcq
        hkjOPQIBBggqhkjOPQMBBwNCAARSMKJPJtovNm+qhF8DIcFTojnc4x7nq2nlVgBw
        +OgBP3Abn91fJmYdarfNa1KVQ5UPBjp9YkeCIKb1eyvi5WGlo4GPMIGMMCsGA1Ud
        EQQkMCKCCWxvY2FsaG9zdIIPc2VydmljZS5leGFtcGxlhwR/AAABMB0GA1UdJQQW
        MBQGCCsGAQUFBwMBBggrBgEFBQcDAjAdBgNVHQ4EFgQUDbe3lRlbHX5g7f6HZQK5
        TekEf5MwHwYDVR0jBBgwFoAUSQWmEABVP5jGsg+xklvWlK8pkvQwCgYIKoZIzj0E
        AwIDSAAwRQIhAJjg/9ixACVpUWo0fYEeEbCjrSvquJzDw3JRDI6lSaI1AiBuckGY
        AFsjC1Ye0CeUT652AerUfPDieTrIidf47qB14w==
        -----END CERTIFICATE-----
        """

    private static let keyText = """
        -----BEGIN PRIVATE KEY-----
        MIGHAgEAMBMGByqGSM49AgEGCCqGSM49AwEHBG0wawIBAQQgrMfM6HEaAku5945z
        Mly0cJ1YF+iUloY+2R8FrKDHjdGhRANCAARSMKJPJtovNm+qhF8DIcFTojnc4x7n
        q2nlVgBw+OgBP3Abn91fJmYdarfNa1KVQ5UPBjp9YkeCIKb1eyvi5WGl
        -----END PRIVATE KEY-----
        """

    private static let otherAuthorityText = """
        -----BEGIN CERTIFICATE-----
        MIIBjjCCATWgAwIBAgIUNaaDog8dtbZxX44sG1hbP4WUzd0wCgYIKoZIzj0EAwIw
        HDEaMBgGA1UEAwwRQW5vdGhlciBhdXRob3JpdHkwIBcNMjYxMTMwMjA0MTU0WhgP
        MjEyNjExMDYyMDQxNTRaMBwxGjAYBgNVBAMMEUFub3RoZXIgYXV0aG9yaXR5MFkw
        EwYHKoZIzj0CAQYIKoZIzj0DAQcDQgAEPuYfOReMLDXY4jXgzMzrHTFvUB7DutUO
        HoMjLbrfLhq60wvSIsFlrHVvLCW6otgej2y9KeBrGjsS5K//zsJZE6NTMFEwHQYD
        VR0OBBYEFJxxe9SaTHZFUjIP/MiP6R4LZPhTMB8GA1UdIwQYMBaAFJxxe9SaTHZF
        UjIP/MiP6R4LZPhTMA8GA1UdEwEB/wQFMAMBAf8wCgYIKoZIzj0EAwIDRwAwRAIg
        R2L9YU9Dy23KLc/ZNKS5d/b0y0dpF0zEEqv2hbzo0JECIEcXO8JLw5mMb08ypH8W
        eWeATPUrbTZc6ih9YN9fAHYo
        -----END CERTIFICATE-----
        """
}
