import { userEventRecordId } from '@podium/messages';
import { EventRecord, Outcome } from './run-outcome';
import { SendHistory, SentEvent, isAnswered } from './send-history';
import { Violation } from './violation';

/** V1, V14: every event with a 200, duplicates included, is in the topic; topic and inbox have the same events. */
export function lostEvents(
  history: SendHistory,
  { inbox, deadLetters }: Outcome,
  accepted: ReadonlyMap<string, EventRecord>,
  expectedDeadLetters: ReadonlySet<string>,
): Violation[] {
  const idOf = ({ partner, fields }: SentEvent): string => userEventRecordId(partner.platform, fields.id);
  const answered = history.answered();
  const sent = new Map([...history.events.values()].map((event) => [idOf(event), event]));
  const missing = (events: readonly SentEvent[], where: { has(id: string): boolean }): string[] =>
    events.filter((event) => !where.has(idOf(event))).map(({ fields }) => fields.id);
  const surprising = [...accepted.keys()].filter((id) => {
    const event = sent.get(id);
    return !event || (!isAnswered(event) && event.unknown === 0);
  });
  return [
    {
      invariant: 'V1',
      sentence: 'answered 200 accepted and not in the topic',
      loss: 'lost',
      ids: missing(
        answered.filter((event) => event.accepted.length > 0),
        accepted,
      ),
    },
    {
      invariant: 'V14',
      sentence: 'answered 200 duplicate alone and not in the topic',
      loss: 'lost',
      ids: missing(
        answered.filter((event) => event.accepted.length === 0),
        accepted,
      ),
    },
    { invariant: 'V1', sentence: 'answered 200 and not in the inbox', ids: missing(answered, inbox), loss: 'lost' },
    {
      invariant: 'V1',
      sentence: 'in the topic and not in the inbox',
      loss: 'lost',
      ids: [...accepted.keys()].filter((id) => !inbox.has(id)),
    },
    {
      invariant: 'V1',
      sentence: 'in the inbox and not in the topic',
      ids: [...inbox].filter((id) => !accepted.has(id)),
    },
    { invariant: 'V1', sentence: 'in the topic, though every answer was a refusal', ids: surprising },
    {
      invariant: 'V1',
      sentence: 'records went to the dead letters',
      ids: deadLetters.filter((place) => !expectedDeadLetters.has(place)),
    },
  ];
}
