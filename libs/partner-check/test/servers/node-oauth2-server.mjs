// A partner on @node-oauth/oauth2-server, as its documentation shows it; whoever opens the page is logged in.
import { createServer } from 'node:http';
import OAuth2Server from '@node-oauth/oauth2-server';

const { PORT, CLIENT_ID, CLIENT_SECRET, REDIRECT_URL } = process.env;
const client = { id: CLIENT_ID, grants: ['authorization_code', 'refresh_token'], redirectUris: [REDIRECT_URL] };
const user = { sub: 'user-1', nickname: 'Ada' };
const codes = new Map();
const accessTokens = new Map();
const refreshTokens = new Map();

const server = new OAuth2Server({
  model: {
    getClient: (id, secret) => id === CLIENT_ID && (secret === null || secret === CLIENT_SECRET) && client,
    saveAuthorizationCode: (code) => {
      const saved = { ...code, client, user };
      codes.set(code.authorizationCode, saved);
      return saved;
    },
    getAuthorizationCode: (code) => codes.get(code),
    revokeAuthorizationCode: ({ authorizationCode }) => codes.delete(authorizationCode),
    saveToken: (token) => {
      const saved = { ...token, client, user };
      accessTokens.set(token.accessToken, saved);
      refreshTokens.set(token.refreshToken, saved);
      return saved;
    },
    getAccessToken: (token) => accessTokens.get(token),
    getRefreshToken: (token) => refreshTokens.get(token),
    revokeToken: ({ refreshToken }) => refreshTokens.delete(refreshToken),
  },
});

const routes = {
  '/authorize': (request, response) =>
    server.authorize(request, response, { authenticateHandler: { handle: () => user } }),
  '/oauth2/token': (request, response) => server.token(request, response),
  '/oauth2/userinfo': async (request, response) => {
    await server.authenticate(request, response);
    response.body = user;
  },
};

createServer(async (incoming, outgoing) => {
  const url = new URL(incoming.url, 'http://localhost');
  const text = Buffer.concat(await incoming.toArray()).toString();
  const request = new OAuth2Server.Request({
    method: incoming.method,
    headers: incoming.headers,
    query: Object.fromEntries(url.searchParams),
    body: Object.fromEntries(new URLSearchParams(text)),
  });
  const response = new OAuth2Server.Response({});
  try {
    await routes[url.pathname](request, response);
  } catch (error) {
    if (!response.headers.location) Object.assign(response, { status: error.code ?? 404, body: { error: error.name } });
  }
  const headers = { 'content-type': 'application/json', ...response.headers };
  outgoing.writeHead(response.status, headers).end(JSON.stringify(response.body ?? {}));
}).listen(PORT, '127.0.0.1');
