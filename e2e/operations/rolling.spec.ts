import { randomUUID } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { call, until } from '../../tools/seed/api';
import { showcaseOf } from '../../tools/competition/world/showcase';
import { openFolders, removeStack } from '../../tools/stack/folders';
import { seedCompetition } from '../../tools/stack/seed';
import { Progress } from '../../tools/stack/progress';
import { WholeStack } from '../../tools/stack/whole-stack';
import { waitForDrain } from '../faults/wait-for-drain';
import { EventPost } from '../faults/event-post';
import { SendHistory, SentEvent } from '../faults/send-history';
import { readOutcome } from '../faults/run-outcome';
import { findViolations } from '../faults/find-violations';
import { nowS } from '../support/partner-api';
import { PartnerUnderTest, countedDays, countingTask, mintToken, startOfUtcDay } from '../support/partner-under-test';
import { SeededRandom } from '@podium/testing/seeded-random';
import { Cluster, Departure, rolledApps } from './cluster';
import { readStopTerms } from './manifest';
import { LoadTarget, SteadyLoad, atRate } from './steady-load';
import { withClient } from '../../tools/stack/with-client';

jest.setTimeout(480_000);

const partnerCount = 4;
const eventsPerPartnerPerS = 20;
const eventsInFlight = 24;
const otherRequestsPerS = 140;
const contract = ['bet', 'deposit'].map((name) => ({ name, kind: 'repeatable' as const, attributes: [] }));
const counted = { event: 'deposit', every: 3, startsAtS: Date.parse(startOfUtcDay(countedDays)) / 1000 };

describe('a release', () => {
  const folders = openFolders(`rolling-${Date.now().toString(36)}`);
  const crashes: string[] = [];
  let cluster: Cluster;
  let stack: WholeStack;
  let roles: string[] = [];

  beforeAll(async () => {
    const progress = new Progress();
    progress.close();
    const terms = await readStopTerms(rolledApps);
    cluster = await Cluster.start(folders);
    const { ports, urls } = cluster;
    const env = cluster.env(terms);
    const onCrash = (failure: Error): void => void crashes.push(failure.message);
    stack = await WholeStack.start({ folders, progress, ports, urls, env, seed: false, onCrash });
  });

  afterAll(async () => {
    // Ending them with SIGTERM would take as long as in a deployment.
    await Promise.all(stack?.services.all.map((instance) => instance.kill()) ?? []);
    await stack?.stop();
    await cluster?.stop();
    removeStack(folders);
  });

  it('rolls each service under 200 requests/s: no request fails, no event is lost or counted twice, each exits 0 in time', async () => {
    const terms = await readStopTerms(rolledApps);
    const partners = await makePartners();
    const targets = await makeTargets(partners[0].partner.platform);
    const history = new SendHistory();
    const limits = { timeoutMs: 60_000, connectionsPerGateway: eventsInFlight };
    const post = new EventPost([cluster.publicUrl], history, new SeededRandom(1), limits);
    const load = new SteadyLoad(cluster.publicUrl, targets, otherRequestsPerS);
    const events = new EventStream(partners, post, history);
    const startedMs = performance.now();
    load.start();
    events.start();

    const departures: Promise<Departure>[] = [];
    for (const app of rolledApps) {
      const { departed } = await cluster.roll(stack.services, app, terms.get(app)!);
      departures.push(departed);
    }
    const departed = await Promise.all(departures);
    roles = await rolesAtWork();
    await Promise.all([load.stop(), events.stop()]);
    const tookS = (performance.now() - startedMs) / 1000;
    await post.close();
    await waitForDrain(stack.infrastructure.addresses, 60_000);

    const requests = history.requests + load.latenciesMs.length;
    const slowest = Math.max(...load.latenciesMs);
    process.stdout.write(
      `${requests} requests in ${tookS.toFixed(0)} s (${(requests / tookS).toFixed(0)}/s), the slowest ${slowest.toFixed(0)} ms; ${history.describe()}\n${cluster.log.join('\n')}\n`,
    );
    if (load.failed.length + history.trouble.size > 0) process.stdout.write(`${errorLines().join('\n')}\n`);
    expect({ failed: load.failed.slice(0, 20), trouble: [...history.trouble], crashes }).toEqual({
      failed: [],
      trouble: [],
      crashes: [],
    });
    expect(history.rateLimited).toBe(0);
    // A busy machine handles less than the offered load; too little load would make the test meaningless.
    expect(requests / tookS).toBeGreaterThan(50);
    for (const { app, exitCode, tookMs } of departed)
      expect({ app, exitCode, inTime: tookMs < terms.get(app)!.graceMs }).toEqual({ app, exitCode: 0, inTime: true });
    const outcome = await readOutcome(stack.infrastructure.addresses);
    const tasks = partners.map(({ partner, taskId }) => ({ taskId, platform: partner.platform, ...counted }));
    expect(findViolations({ history, outcome, tasks, linkChanges: { probes: [], changes: [] } })).toEqual([]);
    expect(outcome.records.length).toBe(history.events.size);
  });

  it('connects each service to Postgres with its own role, none of which has DDL', () => {
    expect(roles).toEqual(['podium_competition_read', 'podium_engagement', 'podium_ingestion', 'podium_linkage']);
  });

  /** The error lines of the services' logs. */
  function errorLines(): string[] {
    return stack.services.all
      .flatMap(({ logPath }) => readFileSync(logPath, 'utf8').split('\n'))
      .filter((line) => /"level":"(error|fatal)"/.test(line))
      .slice(0, 20)
      .map((line) => line.slice(0, 1_500));
  }

  async function rolesAtWork(): Promise<string[]> {
    return withClient(stack.infrastructure.addresses.database_url, async (client) => {
      const { rows } = await client.query<{ role: string }>(
        `SELECT DISTINCT usename AS role FROM pg_stat_activity
         WHERE datname = current_database() AND backend_type = 'client backend' AND pid <> pg_backend_pid() ORDER BY 1`,
      );
      return rows.map(({ role }) => role);
    });
  }

  /** Reads of competition data, operators' lists of every service, and pages; waits until each responds with success. */
  async function makeTargets(platform: string): Promise<LoadTarget[]> {
    const seeded = seedCompetition(stack.infrastructure);
    const operator = await mintToken(stack.services.first('sandbox').url, 'rolling-operator', { '*': 'admin' });
    const admin = { authorization: `Bearer ${operator}` };
    const { key } = await call<{ key: string }>('POST', `${cluster.publicUrl}/admin/v1/keys`, {
      token: operator,
      body: { name: 'Rolling', scopes: [{ scope: 'data:read' }], rate_per_second: 1_000 },
    });
    const data = { authorization: `Bearer ${key}` };
    const { player, gameId, hub } = showcaseOf(1);
    const reads: LoadTarget[] = [
      `/players/${player.id}`,
      `/hubs/${hub.id}`,
      `/players?nickname=${encodeURIComponent(player.nickname)}`,
      `/games/${gameId}`,
    ].map((path) => ({ name: 'data', path: `/data/v4${path}`, headers: data }));
    const pages: LoadTarget[] = [
      { name: 'linkage', path: '/admin/v1/integrations', headers: admin },
      { name: 'engagement', path: '/admin/v1/tasks', headers: admin },
      { name: 'connect', path: '/connect' },
      { name: 'ingestion', path: `/admin/v1/refusals?platform=${platform}`, headers: admin },
      { name: 'docs', path: '/docs/errors' },
    ];
    await seeded;
    const targets = reads.flatMap((read, at) => [read, pages[at], read]).concat(pages[4]);
    for (const { path, headers } of new Set(targets))
      await until(`a response to ${path}`, 30_000, async () => {
        const { status } = await fetch(cluster.publicUrl + path, { headers, redirect: 'manual' });
        return status < 400 ? status : undefined;
      });
    return targets;
  }

  async function makePartners(): Promise<{ partner: PartnerUnderTest; taskId: string }[]> {
    return Promise.all(
      Array.from({ length: partnerCount }, async (_, at) => {
        const partner = await PartnerUnderTest.setUp(stack, { platform: `rolled-${at + 1}`, contract, users: 2 });
        return { partner, taskId: await partner.addTask(countingTask(counted.event, counted.every)) };
      }),
    );
  }
});

/** Events of linked users at a steady rate, each posted once; events that a busy machine cannot take are skipped. */
class EventStream {
  private readonly underWay = new Set<Promise<unknown>>();
  private isStopped = false;
  private loop: Promise<void> = Promise.resolve();

  constructor(
    private readonly partners: readonly { readonly partner: PartnerUnderTest }[],
    private readonly post: EventPost,
    private readonly history: SendHistory,
  ) {}

  start(): void {
    this.loop = atRate(
      eventsPerPartnerPerS * this.partners.length,
      () => this.isStopped,
      (number) => {
        if (this.underWay.size >= eventsInFlight) return;
        const posting = this.post.post(this.make(number));
        this.underWay.add(posting);
        void posting.finally(() => this.underWay.delete(posting));
      },
    );
  }

  async stop(): Promise<void> {
    this.isStopped = true;
    await this.loop;
    await Promise.all(this.underWay);
  }

  private make(number: number): SentEvent {
    const { partner } = this.partners[number % this.partners.length];
    const turn = Math.floor(number / this.partners.length);
    return this.history.add(partner, partner.users[turn % partner.users.length], {
      id: randomUUID(),
      name: turn % 4 === 0 ? 'bet' : 'deposit',
      created_at: nowS(),
      attributes: [],
    });
  }
}
