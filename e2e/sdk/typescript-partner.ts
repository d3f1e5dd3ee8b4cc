import * as fs from 'node:fs';
import { once } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import { PartnerEvent, PodiumClient, PodiumError } from '../../sdk/typescript/src';
import { PartnerLine, PartnerPlan, accountOf, eventName } from './partner-plan';

const chunk = 100;

/** A partner's process with the SDK for TypeScript. It goes on where a killed one ended, and is told to end by a line. */
async function main(plan: PartnerPlan): Promise<void> {
  const confirmed = new Set(
    fs.existsSync(plan.confirmedFile) ? fs.readFileSync(plan.confirmedFile, 'utf8').split('\n') : [],
  );
  const file = fs.openSync(plan.confirmedFile, 'a');
  // A killed process may have left half a line.
  fs.writeSync(file, '\n');
  let [accepted, limited, startedMs, lastMs] = [0, 0, performance.now(), 0];
  const client = await PodiumClient.open({
    ...{ url: plan.url, apiKey: () => process.env.PODIUM_EVENT_KEY ?? '', platform: plan.platform },
    queue: { folder: plan.folder },
    onNotice: (notice) => {
      if (notice.type === 'accepted') {
        accepted += 1;
        lastMs = performance.now();
      } else if (notice.type === 'retried' && notice.error.status === 429) limited += 1;
    },
  });
  const eventOf = (number: number): PartnerEvent => ({
    ...{ id: `${plan.prefix}-${number}`, platformUserId: accountOf(plan, number), name: eventName },
    ...{ createdAt: plan.createdAt, attributes: { amount: '1.00', currency: 'EUR' } },
  });
  const sendUntilAccepted = async (event: PartnerEvent): Promise<void> => {
    for (;;)
      try {
        await client.send(event);
        return;
      } catch (error) {
        if (!(error instanceof PodiumError) || error.retry !== 'now') throw error;
        await sleep(Math.max(200, error.retryAfterMs ?? 0));
      }
  };
  const handOver = async (number: number): Promise<void> => {
    const event = eventOf(number);
    const isSingle = number % plan.singleEvery === 0 && event.platformUserId !== plan.lateAccount;
    await (isSingle ? sendUntilAccepted(event) : client.enqueue(event));
    fs.writeSync(file, `${event.id}\n`);
  };
  startedMs = performance.now();
  const left = Array.from({ length: plan.events }, (_, number) => number).filter(
    (number) => !confirmed.has(`${plan.prefix}-${number}`),
  );
  const singles: Promise<void>[] = [];
  for (let from = 0; from < left.length; from += chunk) {
    const numbers = left.slice(from, from + chunk);
    const isSingle = (number: number): boolean => number % plan.singleEvery === 0;
    singles.push(...numbers.filter(isSingle).map(handOver));
    await Promise.all(numbers.filter((number) => !isSingle(number)).map(handOver));
    await sleep(Math.max(0, startedMs + ((from + chunk) * 1000) / plan.enqueuePerSecond - performance.now()));
  }
  await Promise.all(singles);
  const drained = async (): Promise<number> => {
    for (;;) {
      const { unreadBytes, inHand, setAside } = client.stats();
      if (unreadBytes === 0 && inHand === 0) return setAside;
      await sleep(50);
    }
  };
  print({ type: 'drained', setAside: await drained() });
  await once(process.stdin, 'data');
  process.stdin.pause();
  // An event of a user who was set aside brings the next try forward.
  await client.enqueue({ ...eventOf(0), id: `${plan.prefix}-end`, platformUserId: plan.lateAccount });
  while ((await drained()) > 0) await sleep(50);
  await client.close();
  print({ type: 'finished', accepted, tookMs: lastMs - startedMs, limited });
}

function print(line: PartnerLine): void {
  process.stdout.write(`${JSON.stringify(line)}\n`);
}

void main(JSON.parse(process.argv[2]) as PartnerPlan);
