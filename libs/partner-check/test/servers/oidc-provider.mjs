// A certified OpenID Connect server as a partner: it rotates refresh tokens and ends a grant when one is used twice.
import { Provider } from 'oidc-provider';

const { PORT, CLIENT_ID, CLIENT_SECRET, REDIRECT_URL } = process.env;
const provider = new Provider(`http://127.0.0.1:${PORT}`, {
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
provider.listen(PORT, '127.0.0.1');
