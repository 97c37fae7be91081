"""A host of images for notifications."""
import contextlib
import http.server
import threading

JPEG = b"\xff\xd8\xff\xe0" + bytes(2044)


class ImageHost(http.server.BaseHTTPRequestHandler):
    """One of the images has no ending in its name, one page is none."""

    def do_GET(self):
        found = {"/p/42?w=600": ("image/jpeg", JPEG), "/not-image.jpg": ("text/html", b"<p>login</p>")}.get(self.path)
        self.send_response(200 if found else 404)
        kind, body = found or ("text/plain", b"")
        self.send_header("content-type", kind)
        self.send_header("content-length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *_):
        pass


@contextlib.contextmanager
def image_host():
    """The URL of a running host."""
    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), ImageHost)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    yield f"http://127.0.0.1:{server.server_port}"
    server.shutdown()
    server.server_close()
