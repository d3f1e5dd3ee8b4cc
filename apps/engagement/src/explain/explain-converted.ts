import { ConvertedCondition, compileConverted, convertedParts } from '../evaluation/compile-converted';
import { CompileContext } from '../evaluation/condition-node';
import { convertedText, convertedValue, placeOf } from '../evaluation/converted-value';
import { formatDecimal } from '../evaluation/exact-decimal';
import { HistoryEvent } from '../evaluation/history';
import { Part } from '../evaluation/tally';
import { Term } from '../evaluation/terms';
import { compileWindow } from '../evaluation/windows';
import { ComparisonExplanation, ExplainedMoment } from './comparison-explanation';
import { FilterExplanation, unseenReason } from './event-explanation';
import { explainParts, joinParts, placeReason, windowRange } from './explain-comparison';
import { EventVerdict, eventsToExplain, listEvents } from './listed-events';

/** Explains a sum, min or max of converted money: what each amount is worth, and which are left out without a rate. */
export function explainConverted(
  condition: ConvertedCondition,
  context: CompileContext,
  moment: ExplainedMoment,
  path: string,
): ComparisonExplanation {
  const parts = convertedParts(condition);
  const window = compileWindow(condition.window, context);
  const { terms, valueAt, currencyOf, rateAt } = convertedValue(parts, window, context);
  const range = windowRange(window, moment);
  const filter = new FilterExplanation(parts.filter, context.specs, { attribute: parts.attribute });
  const value = valueAt(moment);

  const amountText = (term: Term, amount: bigint, atS: number): string => {
    const currency = currencyOf(term);
    const own = `${formatDecimal(amount)} ${currency}`;
    const rate = rateAt(currency, atS);
    if (currency === parts.convertTo || rate === null) return own;
    return `${own} = ${convertedText(amount * rate)} ${parts.convertTo}`;
  };
  const countedText = (event: HistoryEvent, term: Term | undefined): EventVerdict => {
    const amount = term?.valueOf(event) ?? null;
    if (term === undefined || typeof amount !== 'bigint') return { reason: 'outside_window', test: null };
    const place = placeReason(event, term, range, moment);
    if (place !== null) return place;
    if (rateAt(currencyOf(term), event.createdAt) === null) return { reason: 'no_rate', test: null };
    return { text: amountText(term, amount, event.createdAt) };
  };
  const verdictOf = (event: HistoryEvent): EventVerdict =>
    unseenReason(event, moment.atS, moment.closesAt) ??
    filter.reasonOf(event) ??
    countedText(
      event,
      terms.find((term) => term.valueOf(event) !== null),
    );
  const partText = (term: Term, part: Part, bucket: number): string =>
    typeof part === 'bigint' ? amountText(term, part, placeOf(term.scope, bucket).dayS) : '';
  return {
    ...{ path, condition, value: value === null ? null : convertedText(value), target: condition.value },
    holds: compileConverted(condition, context).holds(moment),
    windowFrom: range.from,
    ...listEvents(eventsToExplain(moment, parts.filter.event), verdictOf),
    ...joinParts(
      terms.map((term) => explainParts(term, range, moment, (part, bucket) => partText(term, part, bucket))),
    ),
  };
}
