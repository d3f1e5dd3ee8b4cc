import { setTimeout as sleep } from 'node:timers/promises';
import { call, until } from '../../tools/seed/api';
import { showcaseOf } from '../../tools/competition/world/showcase';
import { openFolders, removeStack } from '../../tools/stack/folders';
import { openPreviousRelease } from '../../tools/stack/previous-release';
import { ServiceHandle } from '../../tools/stack/running-services';
import { seedCompetition } from '../../tools/stack/seed';
import { waitForDrain } from '../faults/wait-for-drain';
import { EventPost } from '../faults/event-post';
import { SendHistory } from '../faults/send-history';
import { readOutcome } from '../faults/run-outcome';
import { EventSender } from '../faults/sender';
import { findViolations } from '../faults/find-violations';
import { PartnerUnderTest, countingTask, mintToken } from '../support/partner-under-test';
import { SeededRandom } from '@podium/testing/seeded-random';
import { TwoReleases, counted } from './two-releases';

jest.setTimeout(360_000);

const contract = [
  { name: 'deposit', kind: 'repeatable' as const, attributes: [{ name: 'amount', type: 'decimal' }] },
  { name: 'bet', kind: 'repeatable' as const, attributes: [] },
  { name: 'badge', kind: 'one_off' as const, attributes: [] },
];
const every = 3;
const eventsPerStage = 150;
const newEventsPerPartnerPerS = 20;

describe('this release and the previous release on one schema (V13)', () => {
  const folders = openFolders(`releases-${Date.now().toString(36)}`);
  let releases: TwoReleases;

  beforeAll(async () => {
    releases = await TwoReleases.start(folders, await openPreviousRelease(folders));
  });

  afterAll(async () => {
    await releases?.stop();
    removeStack(folders);
  });

  it('lose no event and count none twice, concurrently and each alone on data of the other', async () => {
    const partners = await setUpThroughBoth();
    const tasks = await Promise.all(
      partners.map(async (partner) => ({
        taskId: await partner.addTask(ofRelease(countingTask('deposit', every))),
        platform: partner.platform,
        event: 'deposit',
        every,
        startsAtS: 0,
      })),
    );
    const random = new SeededRandom(1);
    const history = new SendHistory();
    const post = new EventPost(releases.gatewayUrls, history, random.fork());
    const senders = partners.map(
      (partner) =>
        new EventSender({
          partner,
          users: partner.users,
          post,
          history,
          random: random.fork(),
          ratePerS: newEventsPerPartnerPerS,
          // The release before pays for events of before the start of a task.
          lateDays: [2],
        }),
    );
    for (const sender of senders) sender.start();

    await nextStage(history);
    const both = [...releases.current, ...releases.previous.all];
    // The partitions of a group are spread over its members of both releases, so each reads records of the other.
    for (const ingestion of both.filter(({ processName }) => processName === 'ingestion'))
      expect(await counted(ingestion, 'ingestion_events_total', 'outcome="accepted"')).toBeGreaterThan(0);
    for (const engagement of both.filter(({ processName }) => processName === 'engagement'))
      expect(await counted(engagement, 'kafka_consumer_records_total', 'ingestion.user-events.v1')).toBeGreaterThan(0);
    // Rollback: the previous release continues on data that this one wrote.
    await stopAll(releases.current);
    await nextStage(history);
    // The rollout is repeated and completed.
    await Promise.all(releases.current.map((instance) => instance.start()));
    await stopAll(releases.previous.all);
    await nextStage(history);

    const unanswered = (await Promise.all(senders.map((sender) => sender.finish(60_000)))).flat();
    await post.close();
    process.stdout.write(`${history.describe()}\n`);
    expect(unanswered).toEqual([]);
    await waitForDrain(releases.stack.infrastructure.addresses, 60_000);
    const outcome = await readOutcome(releases.stack.infrastructure.addresses);
    expect(findViolations({ history, outcome, tasks, linkChanges: { probes: [], changes: [] } })).toEqual([]);
    await Promise.all(releases.previous.all.map((instance) => instance.start()));
  });

  it('read the same competition data, projected by both', async () => {
    const operator = await mintToken(releases.stack.services.first('sandbox').url, 'operator', { '*': 'admin' });
    const [currentUrl, previousUrl] = releases.gatewayUrls;
    const { key } = await call<{ key: string }>('POST', `${currentUrl}/admin/v1/keys`, {
      token: operator,
      body: { name: 'Both', scopes: [{ scope: 'data:read' }], rate_per_second: 1_000 },
    });
    await seedCompetition(releases.stack.infrastructure);
    await waitForDrain(releases.stack.infrastructure.addresses, 60_000);
    const { player, hub, team, matchId, organizer } = showcaseOf(1);
    const read = async (gateway: string, path: string): Promise<unknown> => {
      const response = await fetch(`${gateway}/data/v4${path}`, { headers: { authorization: `Bearer ${key}` } });
      return response.status === 200 ? ((await response.json()) as unknown) : undefined;
    };
    for (const path of [
      `/players/${player.id}`,
      `/hubs/${hub.id}/members`,
      `/teams/${team.id}`,
      `/matches/${matchId}`,
      `/organizers/${organizer.id}/championships`,
      `/search/players?nickname=${encodeURIComponent(player.nickname)}`,
    ]) {
      const answer = await until(`a response to ${path}`, 30_000, () => read(currentUrl, path));
      // URLs in documents are those of the deployment and equal in both releases.
      expect(
        await until(`a response to ${path} of the previous release`, 30_000, () => read(previousUrl, path)),
      ).toEqual(answer);
    }
    for (const projector of [
      releases.stack.services.first('competition-read-projector'),
      releases.previous.first('competition-read'),
    ])
      expect(await counted(projector, 'kafka_consumer_records_total', 'competition.changes.v1')).toBeGreaterThan(0);
  });

  /** Sets up one partner through each gateway; the other release handles its operators' requests and linking flows. */
  async function setUpThroughBoth(): Promise<PartnerUnderTest[]> {
    const { services } = releases.stack;
    const gateways = [...services.of('gateway'), ...releases.previous.of('gateway')];
    const through = (publicUrl: string, platform: string): Promise<PartnerUnderTest> =>
      PartnerUnderTest.setUp(
        {
          services: {
            publicUrl,
            of: (app) => (app === 'gateway' ? gateways : services.of(app)),
            first: (app) => services.first(app),
          },
        },
        { platform, contract, users: 6 },
      );
    const [currentUrl, previousUrl] = releases.gatewayUrls;
    return Promise.all([through(currentUrl, 'new-door'), through(previousUrl, 'old-door')]);
  }
});

/** Waits for responses to a further number of events. */
async function nextStage(history: SendHistory): Promise<void> {
  const wanted = history.answered().length + eventsPerStage;
  await until(`${eventsPerStage} further events`, 60_000, async () =>
    history.answered().length >= wanted ? true : undefined,
  );
  // Continue briefly, so that events are in flight at the next stop.
  await sleep(500);
}

async function stopAll(instances: readonly ServiceHandle[]): Promise<void> {
  const killed = await Promise.all(instances.map(async (instance) => ((await instance.stop()) ? [] : [instance.name])));
  expect(killed.flat()).toEqual([]);
}

/** As the API of the release before takes it. */
function ofRelease(task: object): object {
  return { ...task, max_per_event: undefined, claw_back: undefined };
}
