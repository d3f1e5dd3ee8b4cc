import { createHash } from 'node:crypto';
import { addedCurrencies } from './added-currencies';
import { startOf } from './calendar';
import { CompileContext, Sequence } from './condition-node';
import { SequenceCondition } from './condition';
import { durationSeconds } from './duration';
import { compileFilter } from './event-filter';
import { compareEvents } from './event-order';
import { HistoryEvent } from './history';
import { Moment, isAmong } from './moment';
import { PerView } from './per-view';
import { UserView, isLate } from './user-history';

/** Compiles a sequence; throws on one that validation refuses. */
export function compileSequence(condition: SequenceCondition, context: CompileContext): Sequence {
  const withinS = durationSeconds(condition.within);
  if (withinS === null) throw new TypeError(`a sequence within ${condition.within} was published`);
  const { taskStart, per, zone } = context;
  const windowFrom = (atS: number): number =>
    Math.max(taskStart ?? -Infinity, per === null ? -Infinity : startOf(per, atS, zone));
  const steps = condition.sequence.map((filter) => {
    const passes = compileFilter(filter, context.specs);
    return (event: HistoryEvent) => event.name === filter.event && passes(event);
  });
  const names = [...new Set(condition.sequence.map(({ event }) => event))];
  /** For every step the latest first event of a chain that has come so far: a later one leaves more time. */
  const completing = (events: readonly HistoryEvent[], atS: number): HistoryEvent | null => {
    const startedAt: (number | undefined)[] = [];
    const from = windowFrom(atS);
    const takingPart = events.filter((event) => event.createdAt >= from && !isLate(event));
    for (const event of takingPart.sort(compareEvents))
      for (let step = steps.length - 1; step >= 0; step--) {
        if (!steps[step](event)) continue;
        const started = step === 0 ? event.createdAt : startedAt[step - 1];
        if (started === undefined || event.createdAt - started > withinS) continue;
        if (step === steps.length - 1) return event;
        startedAt[step] = Math.max(started, startedAt[step] ?? started);
      }
    return null;
  };
  const completedAt = (events: readonly HistoryEvent[], atS: number): number | null =>
    completing(events, atS)?.createdAt ?? null;
  const eventsOf = (view: UserView): HistoryEvent[] =>
    names.flatMap((name) => [...view.of(name).tail, ...view.of(name).events]);
  const firstCompleting = new PerView<number, HistoryEvent | null>();
  const holds = (moment: Moment): boolean => {
    const { view, atS, only } = moment;
    if (wasCompleted(view, atS)) return true;
    // Events of after an instant do not change when it was completed first.
    const first = firstCompleting.of(view, windowFrom(atS), () => completing(eventsOf(view), atS));
    if (first === null || first.createdAt > atS) return false;
    return first.createdAt < atS || only === null || isAmong(only, first);
  };
  const isCounted = (completed: number, atS: number): boolean => completed >= windowFrom(atS) && completed <= atS;
  const wasCompleted = (view: UserView, atS: number): boolean =>
    names.some((name) => {
      const completed = view.of(name).sequences.get(key) ?? null;
      return completed !== null && isCounted(completed, atS);
    });
  const currencies = addedCurrencies(condition.sequence, context.specs);
  const dates = [withinS, taskStart, per, per === null ? null : zone];
  const parts = [condition.sequence, ...dates, ...(currencies === undefined ? [] : [currencies])];
  const key = createHash('sha256').update(JSON.stringify(parts)).digest('base64url').slice(0, 12);
  const takes = (event: HistoryEvent): boolean => steps.some((passes) => passes(event));
  return { key, names, withinS, holds, completedAt, isCounted, takes };
}
