import { Logger } from '@podium/runtime/log';
import { BrowserCookies } from './browser/browser-cookies';
import { FlowCookie } from './browser/flow-cookie';
import { IdentityProvider } from './browser/identity-provider';
import { LoginLog } from './browser/login-log';
import { OwnOrigin } from './browser/own-origin';
import { PendingLogins } from './browser/pending-logins';
import { SealedCookies } from './browser/sealed-cookies';
import { Sessions } from './browser/sessions';
import { LinkageConfig } from './config';
import { Pages } from './connect/pages';

/** Builds what the browser needs: cookies, sessions, log-in and the pages of /connect. */
export function composeBrowser(config: LinkageConfig, logger: Logger): readonly object[] {
  const ownOrigin = new OwnOrigin(config.PUBLIC_URL);
  const cookies = new BrowserCookies(config.PUBLIC_URL);
  const sealedCookies = new SealedCookies(config.SESSION_KEYS);
  const identityProvider = new IdentityProvider({
    issuerUrl: config.OIDC_ISSUER_URL,
    clientId: config.OIDC_CLIENT_ID,
    clientSecret: config.OIDC_CLIENT_SECRET,
    redirectUri: `${config.PUBLIC_URL}/connect/callback`,
    loggedOutUri: config.OIDC_LOG_OUT === 'provider' ? `${config.PUBLIC_URL}/connect` : null,
    plainHttp: mayUsePlainHttp(config),
  });
  return [
    ...[ownOrigin, identityProvider],
    new FlowCookie(cookies),
    new PendingLogins(sealedCookies, cookies),
    new Sessions(sealedCookies, cookies),
    new Pages(ownOrigin),
    new LoginLog(logger),
  ];
}

/** Plain http only to an identity provider on this machine, in test. */
function mayUsePlainHttp(config: LinkageConfig): boolean {
  const host = new URL(config.OIDC_ISSUER_URL).hostname;
  return config.ENVIRONMENT === 'test' && ['localhost', '127.0.0.1', '[::1]'].includes(host);
}
