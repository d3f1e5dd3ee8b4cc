import { randomUUID } from 'node:crypto';
import { EventFields, nowS } from '../../support/partner-api';
import { PartnerUnderTest, StackWithServices } from '../../support/partner-under-test';
import { SeededRandom } from '@podium/testing/seeded-random';
import { judgedContract, judgedRates, judgedSegment, judgedTasks } from './judged-definitions';

/** The platform whose results the oracle judges. */
export const judgedPlatform = 'judged';

const dayS = 86_400;
/** Two of three events happened on one of these days before, and undo or renumber what was reached since. */
const recentDays = 5;
/** Later than the lateness horizon. */
const lateDays = 40;

/** A partner with definitions of every kind. */
export interface JudgedPartner {
  readonly partner: PartnerUnderTest;
  readonly taskIds: readonly string[];
}

/** Sets up a partner with a segment and tasks of every kind. */
export async function setUpJudged(stack: StackWithServices, users: number): Promise<JudgedPartner> {
  const partner = await PartnerUnderTest.setUp(stack, { platform: judgedPlatform, contract: judgedContract, users });
  await partner.addRates(judgedRates());
  const segmentId = await partner.addSegment(judgedSegment);
  const taskIds: string[] = [];
  for (const task of judgedTasks(segmentId)) taskIds.push(await partner.addTask(task));
  return { partner, taskIds };
}

/** A random event that the judged definitions name: now, some days ago, or too late. */
export function judgedEvent(random: SeededRandom): EventFields {
  const agoS = random.chance(0.33)
    ? random.between(0, 5)
    : random.chance(0.06)
      ? lateDays * dayS
      : random.between(0, recentDays * dayS);
  const name = random.pick(['deposit', 'deposit', 'bet', 'bet', 'bet', 'kyc']);
  const attributes = Object.entries(attributesOf(name, random)).map(([key, value]) => ({ name: key, value }));
  return { id: randomUUID(), name, created_at: nowS() - Math.floor(agoS), attributes };
}

function attributesOf(name: string, random: SeededRandom): Record<string, string> {
  if (name === 'kyc') return { status: random.pick(['passed', 'passed', 'review', 'blocked']) };
  if (name === 'bet')
    return { game: random.pick(['chess', 'go', 'dota', 'pong', 'quake']), odds: random.between(1, 3).toFixed(2) };
  const currency = random.pick(['EUR', 'EUR', 'EUR', 'USD', 'euro']);
  return { amount: random.between(1, 420).toFixed(2), currency };
}
