import { Aggregate, addCounted, addLeaving, aggregateParts } from './compile-comparison';
import { compareWith } from './compare';
import { CompileContext, CompiledCondition, leaf } from './condition-node';
import { Condition, MaxCondition, MinCondition, SumCondition } from './condition';
import { ConvertedParts, convertedText, convertedValue, toConverted } from './converted-value';
import { toEveryEvent } from './sensitivity';
import { compileWindow } from './windows';

/** A sum, min or max of converted money. */
export type ConvertedCondition = (SumCondition | MinCondition | MaxCondition) & { readonly convert_to: string };

/** Whether a condition compares converted money. */
export function isConverted(condition: Condition): condition is ConvertedCondition {
  return 'convert_to' in condition && condition.convert_to !== undefined;
}

/** The parts of a comparison of converted money. */
export function convertedParts(condition: ConvertedCondition): ConvertedParts {
  return {
    ...aggregateParts(condition satisfies Aggregate),
    attribute: condition.attribute,
    convertTo: condition.convert_to,
  };
}

/** Compiles sum, min and max of converted money. */
export function compileConverted(condition: ConvertedCondition, context: CompileContext): CompiledCondition {
  const parts = convertedParts(condition);
  const window = compileWindow(condition.window, context);
  const { terms, valueAt } = convertedValue(parts, window, context);
  const compare = compareWith(condition.op, toConverted(condition.value));
  return {
    ...leaf,
    names: new Set([parts.filter.event]),
    terms,
    holds: (moment) => {
      const value = valueAt(moment);
      return value !== null && compare(value);
    },
    boundaries: (view, add) => {
      for (const term of terms) addLeaving(view, term, window, add);
    },
    counted: (moment, add) => {
      for (const term of terms)
        addCounted(term, window, moment, (event) => (term.isLeftOut?.(event) === true ? undefined : add(event)));
    },
    // Rates differ by day and currency: no running value tells when a threshold is passed.
    sensitivities: () => [toEveryEvent(new Set([parts.filter.event]))],
    values: (moment, path, add) => {
      const value = valueAt(moment);
      add(path, value === null ? 'nothing' : convertedText(value));
    },
  };
}
