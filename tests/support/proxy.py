"""A small reverse proxy that shows a server under a path."""

import threading
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

import httpx

from support.processes import PATIENCE


@contextmanager
def proxied(address, prefix):
    """The public address of ``address``; the proxy removes the prefix from paths."""

    class Handler(BaseHTTPRequestHandler):
        def pass_on(self):
            if not self.path.startswith(f"{prefix}/"):
                self.send_error(404)
                return
            body = self.rfile.read(int(self.headers.get("content-length", 0)))
            headers = [h for h in self.headers.items() if h[0].lower() != "connection"]
            rest = httpx.Timeout(PATIENCE, read=None)
            with httpx.stream(
                self.command, address + self.path.removeprefix(prefix),
                content=body, headers=headers, timeout=rest,
            ) as answer:  # fmt: skip
                self.send_response(answer.status_code)
                for name, value in answer.headers.multi_items():
                    if name not in ("connection", "transfer-encoding"):
                        self.send_header(name, value)
                self.send_header("connection", "close")
                self.end_headers()
                for part in answer.iter_raw():
                    self.wfile.write(part)
                    self.wfile.flush()

        do_GET = do_POST = pass_on  # noqa: N815

        def log_message(self, *_):
            pass

        def handle(self):
            try:
                super().handle()
            except (OSError, httpx.HTTPError):  # a page that was left
                self.close_connection = True

    with ThreadingHTTPServer(("127.0.0.1", 0), Handler) as server:
        server.daemon_threads = True
        thread = threading.Thread(target=server.serve_forever)
        thread.start()
        try:
            yield f"http://127.0.0.1:{server.server_port}{prefix}"
        finally:
            server.shutdown()
            thread.join()
