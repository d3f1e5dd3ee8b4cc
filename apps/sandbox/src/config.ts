import { address, oneOf, text } from '@podium/runtime/config';

/** Configuration fields of the sandbox. */
export const sandboxFields = {
  ENVIRONMENT: oneOf(['test'], {
    meaning: 'It issues tokens to any caller, so it runs in no other deployment',
    example: 'test',
  }),
  SANDBOX_URL: address(['http', 'https'], {
    meaning: 'Address under which browsers and services reach the sandbox',
    default: 'http://localhost:7405',
  }),
  SANDBOX_DATA_DIR: text({
    meaning: 'Folder that keeps partners, accounts, grants and the signing key across restarts',
    default: '.stack/data/sandbox',
  }),
  PUBLIC_URL: address(['http', 'https'], {
    meaning: "The gateway's public address: where /connect comes back to and where events are sent",
    example: 'http://localhost:7400',
  }),
  OIDC_CLIENT_ID: text({ meaning: 'Client of the page /connect at the identity provider', default: 'podium-connect' }),
  OIDC_CLIENT_SECRET: text({ meaning: 'Its secret', secret: true, example: 'a-long-random-text' }),
  OIDC_AUDIENCE: text({ meaning: 'Audience of access tokens', default: 'podium-api' }),
} as const;
