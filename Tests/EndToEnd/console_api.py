"""A client of the console's API, as a browser or a script is one."""
import http.client
import json
import urllib.parse


class Console:
    """One browser or script: keeps its cookie, its token against request forgery, or its console token."""

    def __init__(self, url, token=None):
        parts = urllib.parse.urlsplit(url)
        self.authority, self.cookie, self.csrf, self.token = parts.netloc, None, None, token
        self.headers = {}

    def sign_in(self, name, password):
        status, answer, headers = self.ask("POST", "session", {"name": name, "password": password})
        assert status == 200, answer
        self.cookie = headers["set-cookie"].split(";")[0]
        self.csrf = answer["csrfToken"]
        return answer["user"]

    def ask(self, method, path, body=None, headers=None, raw=None):
        """The status, the JSON (else the bytes) and the fields of an answer."""
        fields = dict(self.headers)
        if self.cookie:
            fields["Cookie"] = self.cookie
        if self.csrf and method != "GET":
            fields["X-CSRF-Token"] = self.csrf
        if self.token:
            fields["Authorization"] = f"Bearer {self.token}"
        if body is not None:
            fields["Content-Type"], raw = "application/json", json.dumps(body).encode()
        fields.update(headers or {})
        fields = {name: value for name, value in fields.items() if value is not None}
        target = path if path.startswith("/") else "/console/v1/" + path
        connection = http.client.HTTPConnection(self.authority, timeout=60)
        try:
            connection.request(method, target, body=raw, headers=fields)
            answer = connection.getresponse()
            content = answer.read()
            found = {name.lower(): value for name, value in answer.getheaders()}
            is_json = found.get("content-type", "").startswith("application/json")
            return answer.status, json.loads(content) if is_json and content else content, found
        finally:
            connection.close()

    def get(self, path):
        return self.done("GET", path)

    def done(self, method, path, body=None):
        """The JSON of a call that works."""
        status, answer, _ = self.ask(method, path, body)
        assert status == 200, (status, answer)
        return answer

    def refused(self, method, path, body=None, **more):
        """The status and the message of a call that does not work."""
        status, answer, _ = self.ask(method, path, body, **more)
        assert status >= 400, answer
        assert answer["error"]["code"] == status
        return status, answer["error"]["message"]
