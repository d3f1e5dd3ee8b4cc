import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { call } from '../../tools/seed/api';
import { openFolders, removeStack } from '../../tools/stack/folders';
import { freePorts } from '../../tools/stack/ports';
import { Progress } from '../../tools/stack/progress';
import { Session } from '../../tools/stack/session';
import { WholeStack } from '../../tools/stack/whole-stack';
import { quantileOf } from '../support/latencies';
import { LinkTry, loadUser, tryLink } from './link-user';
import { LinksOptions, readOptions } from './options';
import { PartnerHost } from './partner-host';

/** Link attempts of the users of one partner in one part of the run. */
interface Measured {
  readonly partner: string;
  readonly tries: readonly LinkTry[];
}

/** Runs the benchmark on its own stack, which is always removed at the end. */
async function bench(options: LinksOptions): Promise<never> {
  const folders = openFolders(`bench-${Date.now().toString(36)}`);
  return Session.run('npm run bench:links', folders, async (session) => {
    session.defer(() => removeStack(folders));
    const progress = new Progress();
    const [shared, other] = [new PartnerHost(), new PartnerHost()];
    for (const host of [shared, other]) {
      await host.start();
      session.defer(() => host.stop());
    }
    const stack = await WholeStack.start({
      ...{ folders, progress, ports: freePorts, seed: false },
      only: ['sandbox', 'linkage', 'ingestion', 'engagement', 'gateway'],
      env: { linkage: { PARTNER_ADDRESS_ALLOW_LIST: `${shared.host},${other.host}` } },
    });
    session.defer(async () => void (await stack.stop()));
    const users = new BenchUsers(stack);
    const hanging = Array.from({ length: options.hanging }, (_, i) => `hangs-${i + 1}`);
    for (const name of hanging) shared.hanging.add(name);
    const responding = [
      { partner: 'own host', id: await users.integration('responding', other) },
      { partner: 'host of the hanging partners', id: await users.integration('neighbour', shared) },
    ];
    const hangingIds = await Promise.all(hanging.map((name) => users.integration(name, shared)));
    const measure = (title: string): Promise<Measured[]> =>
      progress.step(title, () =>
        Promise.all(
          responding.map(async ({ partner, id }) => ({
            partner,
            tries: (await users.load(id, options.others, options.measureS)).flat(),
          })),
        ),
      );
    await progress.step('Warm-up: first links of each partner', () =>
      Promise.all(responding.map(({ id }) => users.load(id, 1, 2))),
    );
    const alone = await measure('Links while all partners respond');
    const stuck = hangingIds.map((id) => users.load(id, options.usersPerHanging, options.measureS + 2));
    await sleep(1000);
    const whileHanging = await measure(`Links while ${options.hanging} partners hang`);
    const waited = (await Promise.all(stuck)).flat(2);
    progress.say('Stopping');
    session.defer(() => print(options, alone, whileHanging, waited));
    return 0;
  });
}

/** Users and integrations of the run, created through the public API. */
class BenchUsers {
  private readonly gatewayUrl: string;
  private readonly sandboxUrl: string;

  constructor(stack: WholeStack) {
    this.gatewayUrl = stack.services.publicUrl;
    this.sandboxUrl = stack.services.first('sandbox').url;
  }

  async integration(platform: string, host: PartnerHost): Promise<string> {
    const made = await call<{ integration_id: string }>('POST', `${this.gatewayUrl}/admin/v1/integrations`, {
      token: await this.token('bench-operator', { '*': 'admin' }),
      body: {
        ...{ platform, partner: platform, organizer_id: 'bench', display_name: platform },
        ...{ authorization_url: `${host.urlOf(platform)}/authorize`, base_url: host.urlOf(platform) },
        ...{ client_id: 'podium', client_secret: 'bench-secret' },
      },
    });
    return made.integration_id;
  }

  /** Runs a number of concurrent users, each of which links repeatedly with a new identity; returns all attempts. */
  load(integrationId: string, users: number, forS: number): Promise<LinkTry[][]> {
    const untilMs = performance.now() + forS * 1000;
    const { gatewayUrl } = this;
    return Promise.all(
      Array.from({ length: users }, async () => {
        const tries: LinkTry[] = [];
        while (performance.now() < untilMs) {
          const sub = randomUUID();
          const user = loadUser(await this.token(sub));
          tries.push(await tryLink(user, { gatewayUrl, integrationId, sub }));
          await user.agent.close();
        }
        return tries;
      }),
    );
  }

  private async token(sub: string, podiumRoles?: object): Promise<string> {
    const { access_token } = await call<{ access_token: string }>('POST', `${this.sandboxUrl}/dev/tokens`, {
      body: { sub, podium_roles: podiumRoles },
    });
    return access_token;
  }
}

/** A row of the table. */
function figures(part: string, { partner, tries }: Measured): Record<string, string | number> {
  const ms = tries.filter(({ connected }) => connected).map((link) => link.ms);
  const round = (value: number): number => Math.round(value);
  return {
    part,
    partner,
    links: ms.length,
    'not connected': tries.length - ms.length,
    'p50 ms': round(quantileOf(ms, 0.5)),
    'p99 ms': round(quantileOf(ms, 0.99)),
  };
}

function print(
  options: LinksOptions,
  alone: readonly Measured[],
  whileHanging: readonly Measured[],
  waited: readonly LinkTry[],
): void {
  const rows = [
    ...alone.map((measured) => figures('alone', measured)),
    ...whileHanging.map((measured) => figures('while others hang', measured)),
  ];
  const atHanging = {
    pages: waited.length,
    'p50 ms': Math.round(
      quantileOf(
        waited.map(({ ms }) => ms),
        0.5,
      ),
    ),
    'slowest ms': Math.round(Math.max(...waited.map(({ ms }) => ms))),
  };
  if (options.json)
    return void process.stdout.write(`${JSON.stringify({ links: rows, hanging: atHanging }, null, 2)}\n`);
  console.log(
    `\nLinks with responding partners, alone and while ${options.hanging} partners hang (${options.usersPerHanging} users each):`,
  );
  console.table(rows);
  console.log('Pages of the hanging partners:');
  console.table([atHanging]);
}

const options = readOptions(process.argv.slice(2));
// Progress is written by console.log; with --json standard output is the result alone.
if (options.json) console.log = console.error;
void bench(options);
