import { RateData, rateApproved, recordKey, topics } from '@podium/messages';
import { OutboxRecord, outboxRecord } from '@podium/runtime/outbox';
import { RateRow } from './rates.store';

/** The record that publishes an approved rate, so that a restored database has it. */
export function rateRecord(
  { organizerId, from, to, day, rate, givenBy, givenAt }: RateRow,
  approved: { readonly by: string; readonly at: Date },
): OutboxRecord {
  const data: RateData = {
    ...{ organizer_id: organizerId, from, to, day, rate, given_by: givenBy, given_at: givenAt.getTime() },
    ...{ approved_by: approved.by, approved_at: approved.at.getTime() },
  };
  return outboxRecord({
    topic: topics.rates,
    key: recordKey(organizerId, from, to, day),
    definition: rateApproved,
    data,
  });
}
