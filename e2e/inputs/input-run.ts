import { setTimeout as sleep } from 'node:timers/promises';
import { WholeStack } from '../../tools/stack/whole-stack';
import { CalmClient } from './calm-client';
import { sendDocumented } from './documented-inputs';
import { HeldPlan, holdConnections } from './held-connections';
import { sendHttp } from './http-inputs';
import { InputReport, reportOf } from './input-report';
import { sendJson } from './json-inputs';
import { Processes } from './processes';
import { Sender } from './sender';
import { Tally } from './tally';
import { InputEnvironment, setUpWorld } from './input-environment';

/** The size of a run. */
export interface InputPlan {
  readonly seed: number;
  /** The approximate number of requests, without held connections; most are generated from the OpenAPI documents. */
  readonly requests: number;
  /** Each round sends all kinds of input; memory is compared between the first and the last one. */
  readonly rounds: number;
  /** Enough that each stays within its rate limit. */
  readonly partners: number;
  readonly held: HeldPlan;
  readonly say: (line: string) => void;
}

const settleMs = 3_000;

/** Sends inputs of all kinds to a seeded stack and checks every response and the state of the services afterwards. */
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
      say(`round ${round} of ${rounds}: ${tally.progress()}; while connections were held: ${calm.describe()}`);
      await processes.beginLevel();
      const rest = Math.max(0, Math.round((requests * round) / rounds) - tally.asked());
      const onProgress = (sent: number): void => {
        if (sent % 5_000 === 0) say(`${sent} of ${rest} requests generated from the documents; ${tally.progress()}`);
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

/** Holds connections while the well-behaved client works. */
async function hold(
  world: InputEnvironment,
  { tally, calm, held }: { tally: Tally; calm: CalmClient; held: HeldPlan },
): Promise<void> {
  const over = new AbortController();
  const working = calm.run(over.signal);
  await holdConnections(world, tally, held);
  over.abort();
  await working;
}
