"""A partner's server for account linkage (docs/site/linking.md). Any name logs in; it keeps nothing at its end."""
import hashlib
import json
import os
import secrets
from base64 import b64encode, urlsafe_b64encode
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from urllib.parse import parse_qs, urlencode, urlsplit

CLIENT_ID, CLIENT_SECRET, REDIRECT_URL = (os.environ[name] for name in ("CLIENT_ID", "CLIENT_SECRET", "REDIRECT_URL"))
BASIC = "Basic " + b64encode(f"{CLIENT_ID}:{CLIENT_SECRET}".encode()).decode()
LOG_IN = '<h1>My Shop</h1><form method="post"><input name="name" aria-label="Name"><button>Log in</button></form>'
grants = {}  # by kind and value: code, access_token, refresh_token


def fields(text):
    return {name: values[0] for name, values in parse_qs(text).items()}


class Partner(BaseHTTPRequestHandler):
    def do_GET(self):
        url = urlsplit(self.path)
        if url.path == "/authorize":
            query = fields(url.query)
            if (query.get("client_id"), query.get("redirect_uri")) != (CLIENT_ID, REDIRECT_URL):
                return self.answer(400, {"error": "unknown_client"})
            return self.answer(200, LOG_IN, {"content-type": "text/html"})
        if url.path != "/oauth2/userinfo":
            return self.answer(404, {"error": "not_found"})
        grant = grants.get(("access_token", self.headers.get("authorization", "").removeprefix("Bearer ")))
        return self.answer(200, grant["user"]) if grant else self.answer(401, {"error": "invalid_token"})

    def do_POST(self):
        url = urlsplit(self.path)
        form = fields(self.rfile.read(int(self.headers.get("content-length", 0))).decode())
        if url.path == "/oauth2/token":
            return self.answer(*self.token(form))
        if url.path != "/authorize":
            return self.answer(404, {"error": "not_found"})
        query, code, name = fields(url.query), secrets.token_urlsafe(), form.get("name", "guest")
        user = {"sub": f"user-{name}", "nickname": name}
        grants["code", code] = {"user": user, "challenge": query.get("code_challenge")}
        location = f"{REDIRECT_URL}?{urlencode({'code': code, 'state': query.get('state', '')})}"
        return self.answer(303, "", {"location": location})

    def token(self, form):
        if self.headers.get("authorization") != BASIC:
            return 401, {"error": "invalid_client"}
        kind = "refresh_token" if form.get("grant_type") == "refresh_token" else "code"
        grant = grants.get((kind, form.get(kind)))
        verifier = hashlib.sha256(form.get("code_verifier", "").encode()).digest()
        challenge = urlsafe_b64encode(verifier).decode().rstrip("=")
        is_ours = kind == "refresh_token" or form.get("redirect_uri") == REDIRECT_URL
        if not grant or not is_ours or grant["challenge"] not in (None, challenge):
            return 400, {"error": "invalid_grant"}
        del grants[kind, form[kind]]  # codes and refresh tokens are used once
        tokens = {"access_token": secrets.token_urlsafe(), "refresh_token": secrets.token_urlsafe()}
        for name, token in tokens.items():
            grants[name, token] = {"user": grant["user"], "challenge": None}
        return 200, {**tokens, "token_type": "Bearer", "expires_in": 3600}

    def log_message(self, *args):
        """Requests are not logged: their addresses have codes."""

    def answer(self, status, body, headers=None):
        self.send_response(status)
        for name, value in (headers or {"content-type": "application/json", "cache-control": "no-store"}).items():
            self.send_header(name, value)
        self.end_headers()
        self.wfile.write((body if headers else json.dumps(body)).encode())


ThreadingHTTPServer(("127.0.0.1", int(os.environ["PORT"])), Partner).serve_forever()
