import tls from 'node:tls';
import {
  CertificateAuthority,
  FaultyListener,
  ListenerKind,
  LocalListener,
  PartnerServer,
  modeOf,
  modes,
  startListener,
} from '@podium/simulated-partner';
import { CoveringTest, isThere } from '@podium/testing/covering-test';
import { checkServer, codesOf, redirectUri } from '../../test/check-server';
import { CheckReport } from '../report/check-report';

/** How connections fail before HTTP, and what the report says of the token endpoint there. */
const expected: Record<
  ListenerKind,
  { readonly detail: string | RegExp } | { readonly notHere: string; readonly coveredBy: CoveringTest }
> = {
  refused: { detail: 'no answer (ECONNREFUSED)' },
  silent_tls: { detail: 'no complete answer within 1000 ms' },
  tls_expired: { detail: 'the certificate is not valid (CERT_HAS_EXPIRED)' },
  tls_wrong_host: { detail: 'the certificate is not valid (ERR_TLS_CERT_ALTNAME_INVALID)' },
  tls_self_signed: { detail: 'the certificate is not valid (DEPTH_ZERO_SELF_SIGNED_CERT)' },
  name_unknown: { detail: /no answer \((ENOTFOUND|EAI_AGAIN)\)/ },
  name_changes: {
    notHere: 'only the guarded client of linkage refuses addresses',
    coveredBy: {
      spec: 'apps/linkage/src/links/partner-cases.long.db.spec.ts',
      test: 'looks a name up once for a connection, so that no second answer can differ',
    },
  },
};

describe('the check of a partner whose connections fail', () => {
  const server = new PartnerServer();
  const authority = new CertificateAuthority();
  const listeners: FaultyListener[] = [];
  let partners = 0;

  beforeAll(async () => {
    await server.start();
    trust(authority.cert);
  });
  afterAll(async () => {
    await Promise.all(listeners.map((listener) => listener.stop()));
    await server.stop();
    authority.remove();
  });

  it('has a row for every kind of listener', () => {
    const kinds = (Object.keys(modes) as (keyof typeof modes)[]).flatMap((name) => {
      const mode = modeOf(name);
      return mode.kind === 'listener' ? [mode.listener] : [];
    });
    expect(Object.keys(expected).sort()).toEqual(kinds.sort());
  });

  it('finds that linking works over TLS with a valid certificate', async () => {
    const report = await check(await baseUrlOf('tls_valid'), 10_000);
    expect([report.verdict, codesOf(report).includes('token_endpoint_unreachable')]).toEqual(['links', false]);
  });

  for (const [kind, row] of Object.entries(expected) as [ListenerKind, (typeof expected)[ListenerKind]][]) {
    if ('notHere' in row)
      it(`${kind} (not here: ${row.notHere}; ${row.coveredBy.spec})`, () =>
        expect([row.coveredBy, isThere(row.coveredBy)]).toEqual([row.coveredBy, true]));
    else
      it(kind, async () => {
        // Only there nothing comes; elsewhere a slow machine must not make an answer too late.
        const report = await check(await baseUrlOf(kind), kind === 'silent_tls' ? 1000 : 10_000);
        expect(report.verdict).toBe('does_not_link');
        expect(codesOf(report)[0]).toBe('token_endpoint_unreachable');
        expect(report.findings[0].detail).toMatch(row.detail);
      });
  }

  async function baseUrlOf(kind: ListenerKind | 'tls_valid'): Promise<(name: string) => string> {
    if (kind === 'name_unknown' || kind === 'name_changes') return () => 'https://name-unknown.partner.invalid';
    const listener = await startListener(kind satisfies LocalListener, { authority, handler: server.handler });
    listeners.push(listener);
    return (name) => listener.baseUrl(name);
  }

  /** The authorization page is where it always is; the other endpoints are behind the listener. */
  function check(baseUrl: (name: string) => string, timeoutMs: number): Promise<CheckReport> {
    const name = `partner-${partners++}`;
    const { client } = server.of(name);
    client.redirect_url = redirectUri;
    const target = { clientId: client.client_id, clientSecret: client.client_secret, baseUrl: baseUrl(name) };
    const authorizationUrl = `${server.baseUrl(name)}/authorize`;
    return checkServer({ ...target, authorizationUrl }, undefined, { timeoutMs });
  }
});

/** Adds an authority to those that every connection trusts, as the system's store would. */
function trust(ca: string): void {
  const original = tls.createSecureContext;
  const trusting: typeof original = (options) => original({ ...options, ca: [...tls.rootCertificates, ca] });
  jest.spyOn(tls, 'createSecureContext').mockImplementation(trusting);
}
