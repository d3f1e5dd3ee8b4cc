import { FieldProblem } from '../event/body-refusal';
import { maxValueBytes } from '../event/event-limits';
import { PartnerAttribute } from '../event/partner-event';

/** An event's attributes after comparison with its contract, or the first problem of a negotiated attribute. */
export type AttributeSplit =
  | {
      readonly ok: true;
      readonly kept: readonly PartnerAttribute[];
      /** Each dropped name once, in the order sent. */
      readonly dropped: readonly string[];
    }
  | { readonly ok: false; readonly problem: FieldProblem };

/**
 * Drops the attributes that are not negotiated, whatever their values. Names are compared byte for byte. A negotiated attribute
 * must be given once and have at most 4 KiB.
 */
export function splitAttributes(
  attributes: readonly PartnerAttribute[],
  negotiated: Pick<ReadonlyMap<string, unknown>, 'has'>,
): AttributeSplit {
  const kept: PartnerAttribute[] = [];
  const dropped: string[] = [];
  for (let index = 0; index < attributes.length; index++) {
    const attribute = attributes[index];
    if (!negotiated.has(attribute.name)) {
      if (!dropped.includes(attribute.name)) dropped.push(attribute.name);
      continue;
    }
    const problem = problemOf(attribute, index, kept);
    if (problem !== undefined) return { ok: false, problem };
    kept.push(attribute);
  }
  return { ok: true, kept, dropped };
}

/** The problems of all negotiated attributes that `splitAttributes` would refuse one by one. */
export function attributeProblems(
  attributes: readonly PartnerAttribute[],
  negotiated: Pick<ReadonlyMap<string, unknown>, 'has'>,
): readonly FieldProblem[] {
  const kept: PartnerAttribute[] = [];
  return attributes.flatMap((attribute, index) => {
    if (!negotiated.has(attribute.name)) return [];
    const problem = problemOf(attribute, index, kept);
    kept.push(attribute);
    return problem === undefined ? [] : [problem];
  });
}

function problemOf(
  { name, value }: PartnerAttribute,
  index: number,
  kept: readonly PartnerAttribute[],
): FieldProblem | undefined {
  if (kept.some((other) => other.name === name)) {
    const field = `event.attributes[${index}].name`;
    return { field, message: `${field} repeats ${JSON.stringify(name)}; an attribute is given once.` };
  }
  if (value.length * 3 > maxValueBytes && Buffer.byteLength(value) > maxValueBytes) {
    const field = `event.attributes[${index}].value`;
    return { field, message: `${field} is longer than ${maxValueBytes} bytes of UTF-8.` };
  }
  return undefined;
}
