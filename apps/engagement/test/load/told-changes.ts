import { BonusAwardIssuedData, SegmentMembershipData, topics } from '@podium/messages';
import { Pool } from '@podium/runtime/postgres';
import { addToList } from '../../src/evaluation/add-to-list';

/** What left for a user and a definition, in order: `in@<changed_at>`, `out@<changed_at>` or `<occurrence>@<reached_at>`. */
export type ToldChanges = Map<string, string[]>;

/** Adds a change of a user and definition. */
export function addChange(changes: ToldChanges, userId: string, definitionId: string, change: string): void {
  addToList(changes, `${userId} ${definitionId}`, change);
}

/** All memberships and awards in the outbox, which nothing has published. */
export async function readToldChanges(pool: Pool): Promise<ToldChanges> {
  const changes: ToldChanges = new Map();
  const records = async <Data>(topic: string): Promise<{ type: string; data: Data }[]> => {
    const { rows } = await pool.query<{ type: string; data: string }>(
      `SELECT type, data FROM engagement.outbox WHERE topic = $1 ORDER BY id`,
      [topic],
    );
    return rows.map(({ type, data }) => ({ type, data: JSON.parse(data) as Data }));
  };
  for (const { data } of await records<SegmentMembershipData>(topics.memberships.name))
    addChange(changes, data.user_id, data.segment_id, `${data.member ? 'in' : 'out'}@${data.changed_at}`);
  for (const { type, data } of await records<BonusAwardIssuedData>(topics.awards.name)) {
    const kind = type.endsWith('.issued') ? '' : 'reversed ';
    addChange(changes, data.user_id, data.task_id, `${kind}${data.occurrence}@${data.reached_at}`);
  }
  return changes;
}

/** How what left compares with what was expected. */
export interface ChangeComparison {
  readonly expected: number;
  readonly found: number;
  /** Every user and definition where both differ. */
  readonly wrong: string[];
}

/** Compares by user and definition; the order of the changes of each counts. */
export function compareChanges(expected: ToldChanges, found: ToldChanges): ChangeComparison {
  const numberOf = (changes: ToldChanges): number => [...changes.values()].reduce((sum, { length }) => sum + length, 0);
  const textOf = (changes: ToldChanges, key: string): string => (changes.get(key) ?? []).join(', ') || 'nothing';
  const wrong = [...new Set([...expected.keys(), ...found.keys()])].flatMap((key) => {
    const [wanted, told] = [textOf(expected, key), textOf(found, key)];
    return wanted === told ? [] : [`${key}: expected ${wanted}, found ${told}`];
  });
  return { expected: numberOf(expected), found: numberOf(found), wrong };
}
