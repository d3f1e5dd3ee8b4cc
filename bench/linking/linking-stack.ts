import * as path from 'node:path';
import { call } from '../../tools/seed/api';
import { StackFolders } from '../../tools/stack/folders';
import { freePort, freePorts } from '../../tools/stack/ports';
import { preloading } from '../../tools/stack/preload';
import { Progress } from '../../tools/stack/progress';
import { WholeStack } from '../../tools/stack/whole-stack';
import { Child } from '../support/child';
import { BareCommand, BareReport } from './bare-client';
import { BlackHole } from './black-hole';
import { hangingPrefix } from './hanging-prefix';
import { Identities } from './identities';
import { LoadCommand, LoadReport } from './load';
import { LinkingOptions } from './options';
import { PartnerFigures, PartnerReport } from './partner-host';
import { SilentNameServer } from './silent-name-server';

/** Partners that do not respond, by what is wrong with them. */
export interface FailingPartners {
  /** Connections are refused. */
  readonly refuses: string;
  /** Connecting neither succeeds nor fails. */
  readonly blackHole: string;
  /** Its name servers do not answer. */
  readonly hangingDns: string;
  /** It accepts requests and never responds; the host is that of the partner that does. */
  readonly hangs: readonly string[];
}

/** Everything that takes part in a run. */
export interface LinkingStack {
  readonly stack: WholeStack;
  readonly identities: Identities;
  /** The host of the responding partners. */
  readonly origin: string;
  /** Integrations with it. */
  readonly responding: readonly string[];
  readonly failing: FailingPartners;
  readonly nameServer: SilentNameServer;
  readonly users: Child<LoadCommand, LoadReport>;
  readonly bare: Child<BareCommand, BareReport>;
  readonly partnerPid: number;
  /** What the partner has answered since this was called before. */
  partnerFigures(): Promise<PartnerFigures>;
}

const hangingCount = 3;
type Defer = (step: () => Promise<void> | void) => void;

/** Starts the stack, the partner's host, the users, the bare client and the partners that fail; creates integrations. */
export async function startLinkingStack(
  options: LinkingOptions,
  folders: StackFolders,
  progress: Progress,
  defer: Defer,
): Promise<LinkingStack> {
  const start = <C extends object, R extends object>(file: string) => startChild<C, R>(file, defer);
  const { child: partner, first: listening } = await start<{ kind: 'figures' }, PartnerReport>('partner-host.ts');
  if (!('port' in listening)) throw new Error('the partner did not report its port');
  const blackHole = await BlackHole.open();
  defer(() => blackHole.close());
  const nameServer = new SilentNameServer();
  await nameServer.start();
  defer(() => nameServer.stop());
  const [host, refusing, swallowing] = [listening.port, await freePort(), blackHole.port].map(
    (port) => `127.0.0.1:${port}`,
  );
  const stack = await WholeStack.start({
    ...{ folders, progress, ports: freePorts, seed: false },
    only: ['sandbox', 'linkage', 'ingestion', 'engagement', 'gateway'],
    env: environmentOf(options, { allowed: [host, refusing, swallowing], nameServer: nameServer.address }),
  });
  defer(async () => void (await stack.stop()));
  const { child: users } = await start<LoadCommand, LoadReport>('load.ts');
  const { child: bare } = await start<BareCommand, BareReport>('bare-client.ts');
  const identities = new Identities(stack.services.first('sandbox').url);
  const create = await integrationCreator(stack, identities);
  return progress.step(`${options.partners} integrations, and partners that do not respond`, async () => ({
    ...{ stack, identities, nameServer, users, bare, origin: `http://${host}` },
    responding: await createAll(options.partners, (at) => create(`responds-${at}`, `http://${host}`)),
    failing: {
      refuses: await create('refuses', `http://${refusing}`),
      blackHole: await create('black-hole', `http://${swallowing}`),
      hangingDns: await create('hanging-dns', 'https://partner-without-name-server.example'),
      hangs: await createAll(hangingCount, (at) => create(`${hangingPrefix}${at}`, `http://${host}`)),
    },
    partnerPid: partner.pid,
    partnerFigures: async () => {
      partner.tell({ kind: 'figures' });
      return (await partner.report()) as PartnerFigures;
    },
  }));
}

async function startChild<C extends object, R extends object>(
  file: string,
  defer: Defer,
): Promise<{ child: Child<C, R>; first: R }> {
  const started = await Child.start<C, R>(path.join(__dirname, file));
  defer(() => started.child.stop());
  return started;
}

function environmentOf(
  { profileDir }: LinkingOptions,
  { allowed, nameServer }: { allowed: readonly string[]; nameServer: string },
): Partial<Record<'linkage' | 'gateway', Record<string, string>>> {
  const preload = (...files: string[]): string => preloading(...files.map((file) => path.join(__dirname, file)));
  const names = './name-servers.cjs';
  const profile = '../support/profile.cjs';
  const profiled: Record<string, string> = profileDir === undefined ? {} : { PROFILE_DIR: path.resolve(profileDir) };
  return {
    linkage: {
      ...profiled,
      PARTNER_ADDRESS_ALLOW_LIST: allowed.join(','),
      BENCH_NAME_SERVER: nameServer,
      NODE_OPTIONS: profileDir === undefined ? preload(names) : preload(names, profile),
    },
    gateway: profileDir === undefined ? {} : { ...profiled, NODE_OPTIONS: preload(profile) },
  };
}

/** Creates integrations through the public API; each returns its id. */
async function integrationCreator(
  stack: WholeStack,
  identities: Identities,
): Promise<(platform: string, baseUrl: string) => Promise<string>> {
  const token = await identities.operatorToken();
  return async (platform, base) => {
    const baseUrl = `${base}/${platform}`;
    const url = `${stack.services.publicUrl}/admin/v1/integrations`;
    const { integration_id } = await call<{ integration_id: string }>('POST', url, {
      token,
      body: {
        ...{ platform, partner: platform, organizer_id: 'bench', display_name: platform },
        ...{ authorization_url: `${baseUrl}/authorize`, base_url: baseUrl },
        ...{ client_id: 'podium', client_secret: 'bench-secret' },
      },
    });
    return integration_id;
  };
}

async function createAll(count: number, create: (at: number) => Promise<string>): Promise<string[]> {
  const ids: string[] = [];
  for (let at = 1; at <= count; at++) ids.push(await create(at));
  return ids;
}
