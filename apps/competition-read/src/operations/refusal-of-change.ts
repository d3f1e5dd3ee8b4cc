import { CompetitionChange } from '@podium/messages';
import { readRecord } from '../projection/read-change';

/** Why the projector writes a record with this key to the dead letters without trying to apply it; null if it does not. */
export function refusalOfChange(key: string, record: CompetitionChange): string | null {
  const read = readRecord(key, record);
  return read.ok ? null : read.reason;
}
