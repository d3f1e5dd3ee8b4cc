import fc from 'fast-check';
import type { Kind, TimedEvent } from './combined-kinds';
import { type CombinedStep, users } from './combined-steps';

type Since = Extract<CombinedStep, { does: 'event' }>['since'];
type Answer = Extract<CombinedStep, { does: 'answer' }>;

/** What follows from events is taken from what they happen since, so that it falls into the dates of the task. */
const eventsOf = (events: readonly TimedEvent[], user: number, since: Since): CombinedStep[] =>
  events.map((event) => ({ does: 'event', user, since, ...event }));

const linkOf = (user: number, account: number | null): CombinedStep => ({
  ...{ does: 'link', user, account, agoS: 0, isBesideDue: false },
});
const settle: CombinedStep = { does: 'settle' };
const midnight: CombinedStep = { does: 'midnight', lateS: 0 };
const answerOf = (of: Answer['of'], result: Answer['result']): CombinedStep => ({
  does: 'answer',
  of,
  result,
  share: 1,
});

/** Two users, and an account that both of them have. */
const couple = fc
  .tuple(fc.shuffledSubarray([...users.keys()], { minLength: 2, maxLength: 2 }), fc.nat({ max: users.length - 1 }))
  .map(([[first, second], account]) => ({ first, second, account }));

/** Mostly nothing, else one of the steps. */
const perhaps = (...steps: CombinedStep[]): fc.Arbitrary<CombinedStep[]> =>
  fc.constantFrom<CombinedStep[]>(...steps.map((step) => [step]), ...steps.map(() => []), []);

/**
 * Steps that belong together and come about by chance too seldom: an account that two users have reaches the same occurrence
 * for both, the first one is undone, perhaps during a pause, and the bonus engine answers before or after.
 */
export const sceneOf = ({ reaching, undoing }: Kind, since: Since): fc.Arbitrary<CombinedStep[]> =>
  fc
    .record({
      couple,
      isShared: fc.constantFrom(true, true, false),
      isAnswered: fc.constantFrom(false, false, true),
      first: fc.constantFrom('confirmed' as const, 'rejected' as const),
      isPaused: fc.constantFrom(false, false, false, true),
      isMoved: fc.constantFrom(false, false, true),
      isUndone: fc.constantFrom(false, true, true, true),
      answers: perhaps(
        answerOf('reversed', 'confirmed'),
        answerOf('reversed', 'rejected'),
        answerOf('issued', 'rejected'),
      ),
      others: perhaps(settle, { does: 'pay', share: 1 }),
      isAgain: fc.boolean(),
    })
    .map(({ couple: { first, second, account }, ...drawn }): CombinedStep[] => {
      const isOfTime = reaching.length === 0;
      const shared = [linkOf(second, account), ...eventsOf(reaching, second, since), ...(isOfTime ? [settle] : [])];
      return [
        ...[linkOf(first, account), ...eventsOf(reaching, first, since)],
        // Time reaches those who are not linked then, too.
        ...(isOfTime ? [linkOf(second, null), midnight, settle] : []),
        ...(drawn.isShared ? shared : []),
        ...(drawn.isAnswered ? [answerOf('issued', drawn.first)] : []),
        ...(drawn.isPaused ? [{ does: 'pause' } as const] : []),
        ...(drawn.isMoved ? [linkOf(second, (account + 1) % users.length)] : []),
        ...(drawn.isUndone ? eventsOf(undoing, first, since) : []),
        ...[...drawn.others, ...drawn.answers],
        ...(drawn.isAgain ? eventsOf(reaching, first, since) : []),
        ...(drawn.isPaused ? [settle, { does: 'resume' } as const] : []),
        settle,
      ];
    });
