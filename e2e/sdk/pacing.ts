import * as fs from 'node:fs';
import * as path from 'node:path';
import { until } from '../../tools/seed/api';
import { nowS } from '../support/partner-api';
import { PartnerUnderTest } from '../support/partner-under-test';
import { CheckContext, Finding } from './check';
import { eventAnswers } from './event-answers';
import { eventName } from './partner-plan';
import { PartnerProcess, SdkName, programs } from './partner-process';

/** The rate of an integration that has no other (partner edge, limits). */
const defaultPerSecond = 40;
const leastShareOfRate = 0.95;
const mostLimited = 0.01;
const never = 1e9;

/** Sends events through one key at the default rate: the rate is used, and hardly a request is answered 429. */
export async function checkPacing(sdk: SdkName, { stack, folder, sizes }: CheckContext): Promise<Finding[]> {
  const platform = `paced-${sdk.toLowerCase()}`;
  const contract = [{ name: eventName, kind: 'repeatable' as const, attributes: [] }];
  const partner = await PartnerUnderTest.setUp(stack, { platform, contract, users: 1 });
  const account = partner.users[0].platformUserId;
  const plan = {
    ...{ url: stack.services.publicUrl, platform, prefix: platform, events: sizes.pacedEvents, createdAt: nowS() },
    ...{ folder: path.join(folder, platform), confirmedFile: path.join(folder, `${platform}.ids`) },
    ...{ accounts: [account], lateAccount: account, lateEvery: never, singleEvery: never, enqueuePerSecond: 10_000 },
  };
  fs.mkdirSync(plan.folder);
  const partnerProcess = new PartnerProcess(programs[sdk], plan, partner.keys[0]);
  await until('the queue being sent', 60_000 + (sizes.pacedEvents / defaultPerSecond) * 2_000, () => {
    if (partnerProcess.end !== null)
      throw new Error(`the process with the SDK for ${sdk} ended: ${partnerProcess.end}`);
    return Promise.resolve(partnerProcess.line('drained'));
  });
  const { accepted, tookMs } = await partnerProcess.finish(30_000);
  const perSecond = (accepted * 1000) / tookMs;
  const { all, limited } = await eventAnswers(stack, platform);
  return [
    {
      holds: perSecond >= leastShareOfRate * defaultPerSecond,
      sentence: `${accepted} events at ${perSecond.toFixed(1)} of ${defaultPerSecond} a second`,
    },
    { holds: limited <= mostLimited * all, sentence: `${limited} of ${all} answers to events were 429` },
  ];
}
