import { EventDefinition, TopicRow } from '@podium/messages';
import { Queryable } from '@podium/runtime/postgres';
import { PositionsTable, readPositionsOf } from './restored-positions.queries';

/**
 * Per partition of a topic the offset before which a restored database has every record: the owner's outbox has published it, and
 * all services that store their positions have applied it. A missing partition: the database has none.
 */
export async function readRestoredPositions<D extends EventDefinition>(
  db: Queryable,
  row: TopicRow<D>,
): Promise<Map<number, bigint>> {
  const [first, ...others] = await Promise.all(tablesOf(row).map((table) => readPositionsOf(db, table, row.name)));
  const known = new Map<number, bigint>();
  for (const [partition, offset] of first ?? []) {
    const all = [offset, ...others.map((positions) => positions.get(partition) ?? 0n)];
    known.set(
      partition,
      all.reduce((lowest, each) => (each < lowest ? each : lowest)),
    );
  }
  return known;
}

function tablesOf<D extends EventDefinition>({ owner, consumers }: TopicRow<D>): PositionsTable[] {
  const isReadBy = (service: string): boolean => consumers.some((group) => group.startsWith(`${service}.`));
  return [
    ...(owner === 'linkage' || owner === 'engagement' ? [`${owner}.outbox_positions` as const] : []),
    ...(isReadBy('engagement') ? ['engagement.positions' as const] : []),
    ...(isReadBy('ingestion') ? ['ingestion.positions' as const] : []),
  ];
}
