// A partner on @jmondi/oauth2-server, as its documentation shows it; whoever opens the page is logged in.
import { randomBytes } from 'node:crypto';
import { createServer } from 'node:http';
import { AuthorizationServer, JwtService } from '@jmondi/oauth2-server';
import { handleVanillaError, requestFromVanilla, responseToVanilla } from '@jmondi/oauth2-server/vanilla';

const { PORT, CLIENT_ID, CLIENT_SECRET, REDIRECT_URL } = process.env;
const client = {
  ...{ id: CLIENT_ID, name: 'Podium', secret: CLIENT_SECRET, redirectUris: [REDIRECT_URL], scopes: [] },
  allowedGrants: ['authorization_code', 'refresh_token'],
};
const user = { id: 'user-1', nickname: 'Ada' };
const codes = new Map();
const accessTokens = new Map();
const refreshTokens = new Map();

const named = () => randomBytes(24).toString('hex');
const inMs = (ms) => new Date(Date.now() + ms);
const clients = {
  getByIdentifier: async (id) => (id === CLIENT_ID ? client : Promise.reject(new Error('no such client'))),
  isClientValid: async (_grant, { id }, secret) => id === CLIENT_ID && secret === CLIENT_SECRET,
};
const tokens = {
  issueToken: async (ofClient, scopes, ofUser) => ({
    ...{ accessToken: named(), accessTokenExpiresAt: inMs(3_600_000) },
    ...{ client: ofClient, scopes, user: ofUser },
  }),
  issueRefreshToken: async (token) => {
    Object.assign(token, { refreshToken: named(), refreshTokenExpiresAt: inMs(86_400_000) });
    refreshTokens.set(token.refreshToken, token);
    return token;
  },
  persist: async (token) => void accessTokens.set(token.accessToken, token),
  revoke: async (token) => void Object.assign(token, { isRevoked: true }),
  isRefreshTokenRevoked: async (token) => token.isRevoked === true,
  getByRefreshToken: async (name) => refreshTokens.get(name),
};
const authCodeRepository = {
  getByIdentifier: async (code) => codes.get(code),
  issueAuthCode: async (ofClient, ofUser, scopes) => ({
    ...{ code: named(), expiresAt: inMs(60_000) },
    ...{ client: ofClient, user: ofUser, scopes },
  }),
  persist: async (code) => void codes.set(code.code, code),
  isRevoked: async (code) => codes.get(code)?.isRevoked === true,
  revoke: async (code) => void Object.assign(codes.get(code), { isRevoked: true }),
};
const jwt = new JwtService(named());
const server = new AuthorizationServer(
  clients,
  tokens,
  { getAllByIdentifiers: async () => [], finalize: async (scopes) => scopes },
  jwt,
);
server.enableGrantType({
  ...{ grant: 'authorization_code', authCodeRepository },
  userRepository: { getUserByCredentials: async () => user },
});

const routes = {
  '/authorize': async (request) => {
    const authorization = await server.validateAuthorizationRequest(request);
    Object.assign(authorization, { user, isAuthorizationApproved: true });
    return responseToVanilla(await server.completeAuthorizationRequest(authorization));
  },
  '/oauth2/token': async (request) => responseToVanilla(await server.respondToAccessTokenRequest(request)),
  '/oauth2/userinfo': async (request) => {
    const { jti } = await jwt.verify(request.headers.authorization?.replace('Bearer ', '')).catch(() => ({}));
    const isValid = accessTokens.has(jti) && !accessTokens.get(jti).isRevoked;
    const headers = { 'www-authenticate': 'Bearer error="invalid_token"' };
    if (!isValid) return Response.json({ error: 'invalid_token' }, { status: 401, headers });
    return Response.json({ sub: user.id, nickname: user.nickname });
  },
};

createServer(async (incoming, outgoing) => {
  const url = new URL(incoming.url, `http://127.0.0.1:${PORT}`);
  const { method, headers } = incoming;
  const body = method === 'POST' ? Buffer.concat(await incoming.toArray()) : undefined;
  const request = await requestFromVanilla(new Request(url, { method, headers, body }));
  const route = routes[url.pathname] ?? (async () => new Response('{}', { status: 404 }));
  const response = await route(request).catch((error) => responseToVanilla(handleVanillaError(error)));
  outgoing.writeHead(response.status, Object.fromEntries(response.headers)).end(await response.text());
}).listen(PORT, '127.0.0.1');
