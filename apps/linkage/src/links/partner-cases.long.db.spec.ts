import tls from 'node:tls';
import {
  CertificateAuthority,
  FaultyListener,
  ListenerKind,
  LocalListener,
  ModeGroup,
  ModeName,
  PartnerOperation,
  PartnerServer,
  modeGroups,
  modeOf,
  modesOf,
  startListener,
} from '@podium/simulated-partner';
import { freshName } from '@podium/testing';
import { isThere } from '@podium/testing/covering-test';
import { refusedAddresses } from '../../test/partner-cases/address-cases';
import { CaseWorld, SeenOutcome, impatientMs } from '../../test/partner-cases/case-world';
import { Expected, ModeExpectations } from '../../test/partner-cases/expected';
import { attackCases, callbackCases } from '../../test/partner-cases/flow-cases';
import { lifecycleCases } from '../../test/partner-cases/lifecycle-cases';
import { FlowCase } from '../../test/partner-cases/returned-flow';
import { redirectCases } from '../../test/partner-cases/redirect-cases';
import { refreshCases } from '../../test/partner-cases/refresh-cases';
import { Scenario, play } from '../../test/partner-cases/scenarios';
import { statusCases } from '../../test/partner-cases/status-cases';
import { tokenBodyCases } from '../../test/partner-cases/token-body-cases';
import { transportCases } from '../../test/partner-cases/transport-cases';
import { userInfoCases } from '../../test/partner-cases/user-info-cases';
import { HostsFile } from '../partner-client/hosts-file';

/** The table: every mode of the simulated partner. A mode without expectations does not compile. */
const table: Record<ModeName, ModeExpectations> = {
  ...tokenBodyCases,
  ...statusCases,
  ...transportCases,
  ...refreshCases,
  ...redirectCases,
  ...userInfoCases,
};

const atOnce = 12;
const listenerKinds: LocalListener[] = [
  ...(['tls_valid', 'refused', 'silent_tls', 'tls_expired', 'tls_wrong_host', 'tls_self_signed'] as const),
];

describe('linking with a partner', () => {
  const partners = new PartnerServer();
  const authority = new CertificateAuthority();
  const listeners = new Map<LocalListener, FaultyListener>();
  let world: CaseWorld;
  let lookups = 0;
  /** Cases begin together, because most of their time is spent waiting; each test waits for its own. */
  const running = new Map<string, Promise<SeenOutcome>>();

  beforeAll(async () => {
    trust(authority.cert);
    const addressesOf = HostsFile.prototype.addressesOf;
    jest.spyOn(HostsFile.prototype, 'addressesOf').mockImplementation(function (this: HostsFile, name: string) {
      if (name !== 'name-changes.partner.example') return addressesOf.call(this, name);
      lookups++;
      return [{ address: '127.0.0.1', family: 4 }];
    });
    for (const kind of listenerKinds)
      listeners.set(kind, await startListener(kind, { authority, handler: partners.handler }));
    world = await CaseWorld.start(
      [...listeners.values()].map(({ host }) => host),
      partners,
    );
    const lanes = Array.from({ length: atOnce }, (): Promise<unknown> => Promise.resolve());
    [...modeJobs(), ...flowJobs()].forEach(([name, run], at) => {
      const outcome = lanes[at % atOnce].then(run);
      lanes[at % atOnce] = outcome.catch(() => undefined);
      running.set(name, outcome);
    });
  }, 60_000);

  afterAll(async () => {
    await Promise.all([...listeners.values()].map((listener) => listener.stop()));
    await world.stop();
    authority.remove();
  });

  type Job = [name: string, run: () => Promise<SeenOutcome>];

  function modeJobs(): Job[] {
    return (Object.keys(table) as ModeName[]).flatMap((name) => {
      const mode = modeOf(name);
      if (mode.kind === 'listener') return [[`linking: ${name}`, () => atListener(mode.listener)] as Job];
      return scenariosOf(name).map((scenario) => [`${scenario}: ${name}`, () => play(world, scenario, name)] as Job);
    });
  }

  function flowJobs(): Job[] {
    return Object.entries({ ...callbackCases, ...attackCases, ...lifecycleCases }).flatMap(([name, each]) =>
      'run' in each ? [[name, () => each.run(world)] as Job] : [],
    );
  }

  /** A flow whose token endpoint is behind a listener; the authorization page is where it always is. */
  async function atListener(kind: ListenerKind | 'tls_valid'): Promise<SeenOutcome> {
    const integration = await world.integration(
      kind === 'name_unknown' || kind === 'name_changes'
        ? { baseUrl: `https://${kind.replace('_', '-')}.partner.example` }
        : {
            baseUrlOf: (platform) => listeners.get(kind)?.baseUrl(platform) ?? '',
            profile: kind === 'silent_tls' ? { timeout_ms: impatientMs } : {},
          },
    );
    const browser = await world.browser();
    const page = await browser.link(integration.integrationId, freshName('sub'));
    return world.afterFlow(integration, browser, page.text);
  }

  async function expectSeen(name: string, { user, ...expected }: Expected): Promise<void> {
    const seen = await running.get(name);
    const { page, ...others } = seen as SeenOutcome;
    expect(others).toEqual(expected);
    expect(page).toContain(user);
  }

  describe.each(Object.keys(modeGroups) as ModeGroup[])('that errs, %s', (group) => {
    const rows = modesOf(group).flatMap(({ name }) => scenariosOf(name).map((scenario) => [scenario, name] as const));
    it.each(rows)('%s: %s', async (scenario, name) => {
      const expected = table[name][scenario];
      if (!expected) throw new Error('the table has no line for it');
      await expectSeen(`${scenario}: ${name}`, expected);
    });
  });

  describe.each([
    ['what users and browsers do', callbackCases],
    ['attacks', attackCases],
    ['lifecycle', lifecycleCases],
  ] satisfies [string, Record<string, FlowCase>][])('%s', (_name, cases) => {
    for (const [name, each] of Object.entries(cases)) {
      if ('run' in each) it(name, () => expectSeen(name, each.expected));
      else
        it(`${name} (not here: ${each.notHere}; ${each.coveredBy.spec})`, () =>
          expect([each.coveredBy, isThere(each.coveredBy)]).toEqual([each.coveredBy, true]));
    }
  });

  describe('addresses', () => {
    it.each(refusedAddresses)('refuses %s', async (_name, address, refusal) => {
      for (const field of ['base_url', 'authorization_url']) {
        const integration = await world.integration();
        const body = { [field]: address, client_secret: 'another-secret' };
        const answer = await world.admin.patch(`/integrations/${integration.integrationId}`, body);
        expect(answer.status).toBe(400);
        expect(answer.text).toContain(field);
        expect(answer.text).toContain(refusal);
      }
    });

    it('refuses return_to of another origin (open redirect)', async () => {
      const { integrationId } = await world.integration();
      const answer = await world.start(integrationId, { return_to: 'https://evil.example' });
      expect(answer).toMatchObject({ status: 400, code: 'invalid_request' });
    });

    it('links over TLS with a certificate that is valid', async () => {
      expect(await atListener('tls_valid')).toMatchObject({ code: null, link: 'ready', operators: [] });
    });

    it('looks a name up once for a connection, so that no second answer can differ', async () => {
      await running.get('linking: name-changes');
      expect(lookups).toBe(1);
    });
  });

  it('writes no text of a partner to the log', async () => {
    await Promise.allSettled(running.values());
    expect(world.linkage.logged.join('\n')).not.toMatch(/alert\(1\)|x-injected|kein_zutritt|konto_gesperrt/);
  });
});

/** Every situation in which a mode has an effect: a case of the table each. */
function scenariosOf(name: ModeName): Scenario[] {
  const at = modeOf(name).at as readonly PartnerOperation[];
  const scenarios: Record<PartnerOperation, Scenario[]> = {
    ...{ redirect: ['returning'], exchange: ['linking'], refresh: ['refreshing'] },
    user_info: ['identifying', 'checking'],
  };
  return at.flatMap((operation) => scenarios[operation]);
}

/** Adds an authority to those that every connection trusts, as the system's store would. */
function trust(ca: string): void {
  const original = tls.createSecureContext;
  jest
    .spyOn(tls, 'createSecureContext')
    .mockImplementation((options) => original({ ...options, ca: [...tls.rootCertificates, ca] }));
}
