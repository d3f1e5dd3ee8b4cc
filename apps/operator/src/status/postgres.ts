import { OutboxTimelineStore } from '@podium/runtime/outbox';
import { Queryable } from '@podium/runtime/postgres';
import * as competitionRead from '../../../competition-read/src/migrations';
import * as engagement from '../../../engagement/src/migrations';
import * as ingestion from '../../../ingestion/src/migrations';
import * as linkage from '../../../linkage/src/migrations';
import { ageText } from '../cli/output';
import { PartStatus, partStatus } from './part';
import { appliedMigrations, outboxBacklog } from './schema.queries';

const schemas = [linkage, ingestion, engagement, competitionRead];
const schemasWithOutbox = [linkage, engagement];

/** An outbox whose oldest record waits longer has a relay that does not publish. */
const stuckS = 30;

const closedOutbox =
  'closed since Postgres was promoted or restored: run failover status, or restore run after a restored backup';

/** Each schema against the migrations of this release, and each outbox. */
export async function postgresStatuses(db: Queryable): Promise<PartStatus[]> {
  const statuses: PartStatus[] = [];
  for (const { schema, migrations } of schemas)
    statuses.push(
      await partStatus(`schema ${schema}`, async () =>
        schemaStatus(
          migrations.map(({ name }) => name),
          await appliedMigrations(db, schema),
        ),
      ),
    );
  for (const { schema } of schemasWithOutbox)
    statuses.push(await partStatus(`outbox ${schema}`, () => outboxStatus(db, schema)));
  return statuses;
}

function schemaStatus(wanted: readonly string[], applied: readonly string[]): Omit<PartStatus, 'part'> {
  const missing = wanted.filter((name) => !applied.includes(name));
  if (missing.length > 0)
    return { state: 'attention', detail: `lacks ${missing.join(', ')}: run the migrations of this release` };
  const later = applied.filter((name) => !wanted.includes(name));
  return {
    state: 'ok',
    detail:
      later.length === 0
        ? `matches this release, ${applied.at(-1)}`
        : `from a later release than this command, ${later.at(-1)}`,
  };
}

async function outboxStatus(db: Queryable, schema: string): Promise<Omit<PartStatus, 'part'>> {
  // A closed outbox refuses rows, so that none wait in it.
  if (!(await new OutboxTimelineStore(schema).isKnown(db))) return { state: 'attention', detail: closedOutbox };
  const { records, seconds } = await outboxBacklog(db, schema);
  if (records === 0) return { state: 'ok', detail: 'no records wait' };
  return {
    state: seconds > stuckS ? 'attention' : 'ok',
    detail: `${records} records wait, the oldest for ${ageText(seconds)}`,
  };
}
