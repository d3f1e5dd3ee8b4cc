import { setTimeout as sleep } from 'node:timers/promises';
import { WholeStack } from '../../tools/stack/whole-stack';
import { CalmClient } from './calm-client';
import { sendDocumented } from './documented-inputs';
import { HeldPlan, holdConnections } from './held-inputs';
import { sendHttp } from './http-inputs';
import { InputReport, reportOf } from './input-report';
import { sendJson } from './json-inputs';
import { Processes } from './processes';
import { Sender } from './sender';
import { Tally } from './tally';
import { InputWorld, setUpWorld } from './world';

/** How large a run is. */
export interface InputPlan {
  readonly seed: number;
  /** Requests beside held connections, about; those that are neither texts nor bytes are drawn from the documents. */
  readonly requests: number;
  /** Each sends everything there is; memory is compared between the first and the last. */
  readonly rounds: number;
  /** Enough that they keep within their rates. */
  readonly partners: number;
  readonly held: HeldPlan;
  readonly say: (line: string) => void;
}

const settleMs = 3_000;

/** Sends inputs of all kinds to a seeded stack and looks at every answer and at what they left behind. */
export async function runInputs(stack: WholeStack, plan: InputPlan): Promise<InputReport> {
  const { say, rounds, requests } = plan;
  const world = await setUpWorld(stack, plan.partners);
  say(`${plan.partners} partners are set up`);
  const processes = new Processes(stack);
  const tally = new Tally(({ kind, fault }) => say(`found in ${kind}: ${fault}`));
  const sender = new Sender(world.gatewayUrl, tally, world.secrets);
  const calm = new CalmClient(world);
  try {
    for (let round = 1; round <= rounds; round++) {
      await sendJson(world, sender);
      await sendHttp(world, tally);
      await hold(world, { tally, calm, held: plan.held });
      say(`round ${round} of ${rounds}: ${tally.progress()}; beside held connections ${calm.describe()}`);
      await processes.beginLevel();
      const rest = Math.max(0, Math.round((requests * round) / rounds) - tally.asked());
      const onProgress = (sent: number): void => {
        if (sent % 5_000 === 0) say(`${sent} of ${rest} requests drawn from the documents; ${tally.progress()}`);
      };
      await sendDocumented(world, sender, { requests: rest, seed: plan.seed + round, onProgress });
      await processes.endLevel();
    }
    await sleep(settleMs);
    const after = new CalmClient(world);
    await after.once();
    return reportOf({ tally, processes, calm: calm.report(), after: after.report(), seed: plan.seed });
  } finally {
    processes.stop();
    await sender.stop();
  }
}

/** Holds connections, and has the client that behaves work beside them. */
async function hold(
  world: InputWorld,
  { tally, calm, held }: { tally: Tally; calm: CalmClient; held: HeldPlan },
): Promise<void> {
  const over = new AbortController();
  const working = calm.run(over.signal);
  await holdConnections(world, tally, held);
  over.abort();
  await working;
}
