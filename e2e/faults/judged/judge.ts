import { setTimeout as sleep } from 'node:timers/promises';
import { UserEventData } from '@podium/messages';
import { Queryable, createPool, queryable } from '@podium/runtime/postgres';
import { pino } from 'pino';
import { Registry } from 'prom-client';
import { readWorlds, wrongResults } from '../../../apps/engagement/test/judged-worlds';
import { nowS } from '../../support/partner-api';
import { readTopics } from '../../support/read-topic';
import { Violation } from '../violation';
import { judgedPlatform } from './judged-partner';

/** What time decides is settled by then; a clock that was ahead may have settled as much more. */
const settledWithinS = 10;
const aheadS = 300;
/** Occurrences of a task and user; beyond them nothing is compared. */
const limit = 600;
const timeoutMs = 60_000;

/**
 * V2: results of all kinds of definitions are those of a naive recomputation, and budgets are exact. Waits until they are,
 * because what a pause held is settled in the background.
 */
export async function misjudged(addresses: { database_url: string; kafka_brokers: string }): Promise<Violation[]> {
  const records = await readTopics(addresses.kafka_brokers, ['ingestion.user-events.v1']);
  const accepted = records
    .map(({ value }) => value.data as unknown as UserEventData)
    .filter(({ platform }) => platform === judgedPlatform);
  const logger = pino({ level: 'silent' });
  const pool = createPool({ url: addresses.database_url, size: 1, service: 'judge' }, logger, new Registry());
  const db = queryable(pool);
  try {
    for (const endMs = Date.now() + timeoutMs; ; await sleep(1_000)) {
      const compared: Violation[] = [
        {
          invariant: 'V2',
          sentence: 'results other than those of a recomputation',
          ids: await wrongOfAll(db, accepted),
        },
        { invariant: 'V2', sentence: 'units of a budget that do not add up', ids: await wrongBudgets(db) },
      ];
      const violations = compared.filter(({ ids }) => ids.length > 0);
      if (violations.length === 0 || Date.now() > endMs) return violations;
    }
  } finally {
    await pool.end();
  }
}

async function wrongOfAll(db: Queryable, accepted: readonly UserEventData[]): Promise<string[]> {
  const wrong: string[] = [];
  const atS = nowS();
  const worlds = await readWorlds(db, judgedPlatform, accepted, atS);
  if (worlds.size === 0) wrong.push('no user was judged');
  for (const [userId, made] of worlds) {
    if (made.events.length === 0 || made.links.length === 0) wrong.push(`${userId} has no events or no link`);
    const bounds = { surelyS: atS - settledWithinS, perhapsS: atS + aheadS, limit };
    const found = await wrongResults(db, { platform: judgedPlatform, userId }, made, bounds);
    wrong.push(...found.map((sentence) => `${userId}: ${sentence}`));
  }
  return wrong;
}

/** Nothing gives units back in a run: no answer arrives. So all that was ever issued is spent. */
async function wrongBudgets(db: Queryable): Promise<string[]> {
  const { rows } = await db.query<{ task_id: string; total: string; spent: string; left: string }>(
    `SELECT task_id, total, coalesce(issued.units, 0) + coalesce(taken_back.units, 0) AS spent, shards.left
     FROM engagement.budgets
     CROSS JOIN LATERAL (
       SELECT sum((reward ->> 'amount')::numeric) AS units FROM engagement.awards
       WHERE awards.task_id = budgets.task_id AND NOT reversed) AS issued
     CROSS JOIN LATERAL (
       SELECT sum((reversed_reward ->> 'amount')::numeric) AS units
       FROM engagement.ledger_entries JOIN engagement.awards USING (award_id)
       WHERE awards.task_id = budgets.task_id AND kind = 'reversed') AS taken_back
     CROSS JOIN LATERAL (
       SELECT sum(available) AS left FROM engagement.budget_shards
       WHERE budget_shards.task_id = budgets.task_id AND day = '-infinity') AS shards
     WHERE total IS NOT NULL`,
  );
  return rows
    .filter(
      ({ total, spent, left }) => Number(left) < 0 || Math.abs(Number(total) - Number(spent) - Number(left)) > 1e-6,
    )
    .map((row) => JSON.stringify(row));
}
