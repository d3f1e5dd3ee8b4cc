import { maxValueBytes } from '../event/event-limits';
import { PartnerAttribute } from '../event/partner-event';

/** An event's attributes after comparison with its contract, or the problem of the attribute at `index`. */
export type AttributeSplit =
  | {
      readonly ok: true;
      readonly kept: readonly PartnerAttribute[];
      /** Each dropped name once, in the order sent. */
      readonly dropped: readonly string[];
    }
  | { readonly ok: false; readonly index: number; readonly problem: string };

/**
 * Drops the attributes that are not negotiated, whatever their values. Names are compared byte for byte. A negotiated attribute
 * must be given once and have at most 4 KiB.
 */
export function splitAttributes(
  attributes: readonly PartnerAttribute[],
  negotiated: ReadonlySet<string>,
): AttributeSplit {
  const kept: PartnerAttribute[] = [];
  const dropped: string[] = [];
  for (let index = 0; index < attributes.length; index++) {
    const attribute = attributes[index];
    if (!negotiated.has(attribute.name)) {
      if (!dropped.includes(attribute.name)) dropped.push(attribute.name);
      continue;
    }
    const problem = problemOf(attribute, kept);
    if (problem !== undefined) return { ok: false, index, problem };
    kept.push(attribute);
  }
  return { ok: true, kept, dropped };
}

/** The problems of all negotiated attributes that `splitAttributes` would refuse one by one, by their index. */
export function attributeProblems(
  attributes: readonly PartnerAttribute[],
  negotiated: ReadonlySet<string>,
): readonly { readonly index: number; readonly problem: string }[] {
  const kept: PartnerAttribute[] = [];
  return attributes.flatMap((attribute, index) => {
    if (!negotiated.has(attribute.name)) return [];
    const problem = problemOf(attribute, kept);
    kept.push(attribute);
    return problem === undefined ? [] : [{ index, problem }];
  });
}

function problemOf(attribute: PartnerAttribute, kept: readonly PartnerAttribute[]): string | undefined {
  if (kept.some(({ name }) => name === attribute.name))
    return `.name repeats ${JSON.stringify(attribute.name)}; an attribute is given once.`;
  if (attribute.value.length * 3 > maxValueBytes && Buffer.byteLength(attribute.value) > maxValueBytes)
    return `.value is longer than ${maxValueBytes} bytes of UTF-8.`;
  return undefined;
}
