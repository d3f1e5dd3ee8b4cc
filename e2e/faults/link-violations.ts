import { ClockSkew } from './clocks/skewed-clocks';
import { SentEvent } from './send-history';
import { LinkChange } from './link-changes';
import { EventRecord } from './run-outcome';
import { Violation } from './violation';

const viewMemoryMs = 2_000;
const requestDeadlineMs = 5_000;

/** V3: no event of a user is accepted later than 2 s plus a request's deadline after the unlinking was confirmed. */
export function acceptedWhileUnlinked(
  { probes, changes }: { probes: readonly SentEvent[]; changes: readonly LinkChange[] },
  records: readonly EventRecord[],
  skews: readonly ClockSkew[],
): Violation[] {
  // `received_at` is from the gateway's clock, `created_at` from the run's. The responses are compared in any case.
  const hasRightClock = ({ createdAtS }: EventRecord): boolean =>
    !skews.some(
      ({ instance, fromMs, untilMs }) =>
        instance.startsWith('gateway-') && createdAtS * 1000 >= fromMs - 10_000 && createdAtS * 1000 <= untilMs,
    );
  const late = changes.flatMap(({ user, unlinkedAtMs, relinkAtMs }) => {
    const answered = probes.filter(
      ({ user: of, accepted }) =>
        of === user &&
        accepted.some((atMs) => atMs > unlinkedAtMs + viewMemoryMs + requestDeadlineMs && atMs < relinkAtMs),
    );
    const admitted = records.filter(
      (record) =>
        record.platformUserId === user.platformUserId &&
        record.linkedAtS * 1000 < unlinkedAtMs &&
        record.receivedAtMs > unlinkedAtMs + viewMemoryMs &&
        hasRightClock(record),
    );
    return [...answered.map(({ fields }) => fields.id), ...admitted.map(({ eventId }) => eventId)];
  });
  const refusedAfterRelink = changes.flatMap(({ user, relinkedAtMs }, at) => {
    const untilMs = changes.find((each, index) => index > at && each.user === user)?.askedAtMs ?? Infinity;
    const refused = probes.filter(
      ({ user: of, refused: answers }) =>
        of === user &&
        answers.some(
          ({ atMs, code }) => code === 'user_not_linked' && atMs > relinkedAtMs + requestDeadlineMs && atMs < untilMs,
        ),
    );
    return refused.map(({ fields }) => fields.id);
  });
  return [
    { invariant: 'V3', sentence: 'accepted after the unlinking was confirmed', ids: [...new Set(late)] },
    { invariant: 'V3', sentence: 'refused as not linked after the link was ready', ids: refusedAfterRelink },
  ];
}
