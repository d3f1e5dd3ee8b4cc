"""A partner on Authlib with Flask, as its documentation shows it; whoever opens the page is logged in."""
import os
import time

from authlib.integrations.flask_oauth2 import AuthorizationServer, ResourceProtector, current_token
from authlib.oauth2.rfc6749 import ClientMixin, TokenMixin, grants
from authlib.oauth2.rfc6750 import BearerTokenValidator
from authlib.oauth2.rfc7636 import CodeChallenge
from flask import Flask, jsonify

CLIENT_ID, CLIENT_SECRET, REDIRECT_URL = (os.environ[name] for name in ("CLIENT_ID", "CLIENT_SECRET", "REDIRECT_URL"))
os.environ["AUTHLIB_INSECURE_TRANSPORT"] = "1"
USER = {"sub": "user-1", "nickname": "Ada"}
codes, tokens = {}, []


class Client(ClientMixin):
    def get_client_id(self):
        return CLIENT_ID

    def get_default_redirect_uri(self):
        return REDIRECT_URL

    def get_allowed_scope(self, scope):
        return scope or ""

    def check_redirect_uri(self, redirect_uri):
        return redirect_uri == REDIRECT_URL

    def check_client_secret(self, client_secret):
        return client_secret == CLIENT_SECRET

    def check_endpoint_auth_method(self, method, endpoint):
        return method == "client_secret_basic"

    def check_response_type(self, response_type):
        return response_type == "code"

    def check_grant_type(self, grant_type):
        return grant_type in ("authorization_code", "refresh_token")


CLIENT = Client()


class Code:
    def __init__(self, code, request):
        self.code, self.redirect_uri = code, request.payload.redirect_uri
        self.code_challenge = request.payload.data.get("code_challenge")
        self.code_challenge_method = request.payload.data.get("code_challenge_method")

    def get_redirect_uri(self):
        return self.redirect_uri

    def get_scope(self):
        return ""


class Token(TokenMixin):
    def __init__(self, data):
        self.data, self.revoked, self.issued = data, False, time.time()

    def check_client(self, client):
        return True

    def get_scope(self):
        return ""

    def get_expires_in(self):
        return self.data["expires_in"]

    def is_expired(self):
        return self.issued + self.data["expires_in"] < time.time()

    def is_revoked(self):
        return self.revoked

    def get_user(self):
        return USER

    def get_client(self):
        return CLIENT


class CodeGrant(grants.AuthorizationCodeGrant):
    TOKEN_ENDPOINT_AUTH_METHODS = ["client_secret_basic"]

    def save_authorization_code(self, code, request):
        codes[code] = Code(code, request)

    def query_authorization_code(self, code, client):
        return codes.get(code)

    def delete_authorization_code(self, authorization_code):
        codes.pop(authorization_code.code, None)

    def authenticate_user(self, authorization_code):
        return USER


class RefreshGrant(grants.RefreshTokenGrant):
    INCLUDE_NEW_REFRESH_TOKEN = True

    def authenticate_refresh_token(self, refresh_token):
        found = [each for each in tokens if each.data.get("refresh_token") == refresh_token and not each.revoked]
        return found[0] if found else None

    def authenticate_user(self, refresh_token):
        return USER

    def revoke_old_credential(self, refresh_token):
        refresh_token.revoked = True


class Validator(BearerTokenValidator):
    def authenticate_token(self, token_string):
        return next((each for each in tokens if each.data["access_token"] == token_string), None)


app = Flask(__name__)
app.config["OAUTH2_REFRESH_TOKEN_GENERATOR"] = True
server = AuthorizationServer(app, query_client=lambda client_id: CLIENT if client_id == CLIENT_ID else None,
                             save_token=lambda token, request: tokens.append(Token(token)))
server.register_grant(CodeGrant, [CodeChallenge(required=False)])
server.register_grant(RefreshGrant)
protect = ResourceProtector()
protect.register_token_validator(Validator())


@app.route("/authorize")
def authorize():
    return server.create_authorization_response(grant_user=USER)


@app.route("/oauth2/token", methods=["POST"])
def token():
    return server.create_token_response()


@app.route("/oauth2/userinfo")
@protect()
def userinfo():
    assert current_token
    return jsonify(USER)


app.run("127.0.0.1", int(os.environ["PORT"]))
