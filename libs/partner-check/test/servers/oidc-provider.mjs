// A certified OpenID Connect server as a partner, below PATH_PREFIX: it rotates refresh tokens and ends a grant when one is used twice.
import { createServer } from 'node:http';
import { Provider } from 'oidc-provider';

const { PORT, CLIENT_ID, CLIENT_SECRET, REDIRECT_URL, PATH_PREFIX = '' } = process.env;
const provider = new Provider(`http://127.0.0.1:${PORT}${PATH_PREFIX}`, {
  clients: [
    {
      client_id: CLIENT_ID,
      client_secret: CLIENT_SECRET,
      redirect_uris: [REDIRECT_URL],
      grant_types: ['authorization_code', 'refresh_token'],
    },
  ],
  claims: { openid: ['sub', 'nickname'] },
  routes: { authorization: '/authorize', token: '/oauth2/token', userinfo: '/oauth2/userinfo' },
  rotateRefreshToken: true,
  findAccount: (_context, id) => ({ accountId: id, claims: () => ({ sub: id, nickname: `Nick ${id}` }) }),
});
const handle = provider.callback();
createServer((request, response) => {
  if (!request.url.startsWith(`${PATH_PREFIX}/`)) return response.writeHead(404).end();
  // The provider takes what is before its own routes from the difference of the two.
  request.originalUrl = request.url;
  request.url = request.url.slice(PATH_PREFIX.length);
  handle(request, response);
}).listen(PORT, '127.0.0.1');
