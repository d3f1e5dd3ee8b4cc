import { AttributeType, parseDecimal, parseTyped } from '@podium/messages';
import { durationSeconds, parseRolling } from '../evaluation/duration';
import { formatDecimal } from '../evaluation/exact-decimal';
import { Scalar, WrittenTime } from './written-body';

const billion = 1_000_000_000n;

/** The seconds, Unix, that RFC 3339 can write in UTC: of the years 0000 to 9999. */
export const writtenInUtc = { firstS: -62_167_219_200, lastS: 253_402_300_799 } as const;

/** Equal values of a type have one text: numbers the shortest decimal, whole times Unix seconds. Checked values only. */
export function canonicalConstant(value: Scalar, type: AttributeType | undefined): string {
  const text = String(value);
  const parsed = type === undefined ? null : parseTyped(type, text);
  if (typeof parsed !== 'bigint') return text;
  return type === 'timestamp' ? canonicalTimestamp(parsed) : formatDecimal(parsed);
}

/** The shortest decimal; of a time Unix seconds. Throws a `TypeError` for a stored value that is no number: any other would pay somebody. */
export function canonicalNumber(value: Scalar, type: 'decimal' | 'timestamp' = 'decimal'): string {
  const text = String(value);
  const time = type === 'timestamp' ? (parseTyped('timestamp', text) as bigint | null) : null;
  const parsed = time ?? parseDecimal(text);
  if (parsed === null) throw new TypeError(`${text} is no number`);
  return formatDecimal(parsed);
}

/**
 * Unix seconds of a time. A fraction is rounded up: events have whole seconds, so that the same ones lie before and after.
 * Earlier releases stored dates outside of `writtenInUtc`, with a sign and more digits. Throws a `TypeError` for a stored value
 * that is no time.
 */
export function canonicalTime(time: WrittenTime): number {
  if (typeof time === 'number') return time;
  const billionths = parseTyped('timestamp', time) as bigint | null;
  if (billionths === null) return secondsOfDate(time);
  const wholeS = billionths / billion;
  return Number(billionths % billion > 0n ? wholeS + 1n : wholeS);
}

function secondsOfDate(time: string): number {
  const atS = Math.ceil(Date.parse(time) / 1000);
  if (Number.isNaN(atS)) throw new TypeError(`${time} is no time`);
  return atS;
}

/** A rolling window in days or hours: `P1W` is `P7D`, `PT24H` stays hours, which begin at another time than days. */
export function canonicalRolling(text: string): string {
  const rolling = parseRolling(text);
  if (rolling === null) return text;
  return rolling.unit === 'hour' ? `PT${rolling.units}H` : `P${rolling.units}D`;
}

/** An exact duration, in days, hours, minutes and seconds. */
export function canonicalDuration(text: string): string {
  const totalS = durationSeconds(text);
  if (totalS === null) return text;
  const parts = [
    [Math.floor((totalS % 86_400) / 3_600), 'H'],
    [Math.floor((totalS % 3_600) / 60), 'M'],
    [totalS % 60, 'S'],
  ] as const;
  const days = Math.floor(totalS / 86_400);
  const time = parts.map(([count, unit]) => (count === 0 ? '' : `${count}${unit}`)).join('');
  return `P${days === 0 ? '' : `${days}D`}${time === '' ? '' : `T${time}`}`;
}

/** A set in canonical form: sorted by its JSON, each entry once. The entries have their fields in a fixed order. */
export function canonicalSet<Entry>(entries: readonly Entry[]): readonly Entry[] {
  const byText = new Map(entries.map((entry) => [JSON.stringify(entry), entry]));
  return [...byText.keys()].sort().map((text) => byText.get(text) as Entry);
}

/** An offset brings every time that RFC 3339 can write back into the years 0000 to 9999. */
const farthestOffset = { text: '23:59', seconds: 86_340 } as const;

/** The text by which operators write a time that `canonicalNumber` has as a decimal; other texts as they are. */
export function writtenTimestamp(decimal: string): string {
  const billionths = parseDecimal(decimal);
  return billionths === null ? decimal : canonicalTimestamp(billionths);
}

/** A text that `parseTyped` reads as this time: Unix seconds where it takes them, else RFC 3339, in UTC where that has it. */
function canonicalTimestamp(billionths: bigint): string {
  const seconds = formatDecimal(billionths);
  if (/^[0-9]{1,12}$/.test(seconds)) return seconds;
  const belowS = ((billionths % billion) + billion) % billion;
  const atS = Number((billionths - belowS) / billion);
  const fraction = belowS === 0n ? '' : `.${belowS.toString().padStart(9, '0').replace(/0+$/, '')}`;
  if (atS > writtenInUtc.lastS) return `${localTime(atS - farthestOffset.seconds)}${fraction}-${farthestOffset.text}`;
  if (atS < writtenInUtc.firstS) return `${localTime(atS + farthestOffset.seconds)}${fraction}+${farthestOffset.text}`;
  return `${localTime(atS)}${fraction}Z`;
}

function localTime(atS: number): string {
  return new Date(atS * 1000).toISOString().slice(0, 19);
}
