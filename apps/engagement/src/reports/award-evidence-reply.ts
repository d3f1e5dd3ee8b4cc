import { ledgerReply } from '../awards/ledger-reply';
import { TaskAwardReply } from './report.dto';
import { TaskAwardRow } from './task-awards.queries';

/** An award as operators see it. */
export function taskAwardReply(row: TaskAwardRow): TaskAwardReply {
  const { evidence, entries, reached_at, issued_at, number: _number, ...award } = row;
  const events = evidence?.events.map(({ id, createdAt, account }) => ({
    id,
    created_at: isoTime(createdAt),
    platform_user_id: account,
  }));
  return {
    ...award,
    ...{ reached_at: isoTime(reached_at), issued_at: issued_at.toISOString(), ...ledgerReply(entries) },
    evidence:
      evidence === null
        ? null
        : { version: evidence.version, values: evidence.values, events: events ?? [], cut: evidence.cut ?? false },
  };
}

/** Unix seconds as ISO 8601. */
export function isoTime(atS: number): string {
  return new Date(atS * 1000).toISOString();
}
