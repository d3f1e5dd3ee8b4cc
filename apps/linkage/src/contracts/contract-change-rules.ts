import { CodedError, ContractEvent } from '@podium/messages';
import { numberChangeProblem, numberProblem } from './number-declarations';

/** Most bytes of one version as JSON, so that at least two fit into a record, also with the first versions of all currencies. */
const maxVersionBytes = 200 * 1024;

/**
 * A new version only adds or retires names, because stored events and definitions rely on the existing ones. Kinds, types and
 * declarations of numbers never change. A removed name must be listed as retired, so that no omission goes unnoticed. Throws `unprocessable` with
 * the invalid name.
 */
export function checkContractChange(previous: readonly ContractEvent[], next: readonly ContractEvent[]): void {
  checkUnique(next);
  checkNumbers(next);
  const nextByName = new Map(next.map((event) => [event.name, event]));
  for (const before of previous) {
    const after = nextByName.get(before.name);
    if (!after) refuse(`the event ${quote(before.name)} is missing: list it with "retired": true to end it`);
    if (after.kind !== before.kind)
      refuse(`the event ${quote(before.name)} was negotiated as ${before.kind}; its kind cannot become ${after.kind}`);
    checkAttributes(before, after);
  }
  if (Buffer.byteLength(JSON.stringify(next)) > maxVersionBytes)
    refuse(`the contract is larger than ${maxVersionBytes} bytes: add fewer or shorter names`);
}

function checkAttributes(before: ContractEvent, after: ContractEvent): void {
  const afterByName = new Map(after.attributes.map((attribute) => [attribute.name, attribute]));
  for (const known of before.attributes) {
    const { name, type } = known;
    const attribute = afterByName.get(name);
    const where = attributeOf(name, before);
    if (!attribute) refuse(`${where} is missing: list it with "retired": true to end it`);
    if (attribute.type !== type) refuse(`${where} was negotiated as ${type}; its type cannot become ${attribute.type}`);
    const problem = numberChangeProblem(known, attribute);
    if (problem) refuse(`${where} ${problem}`);
  }
}

function checkNumbers(events: readonly ContractEvent[]): void {
  for (const event of events)
    for (const attribute of event.attributes) {
      const problem = numberProblem(attribute, event);
      if (problem) refuse(`${attributeOf(attribute.name, event)} ${problem}`);
    }
}

function checkUnique(events: readonly ContractEvent[]): void {
  const twice = repeated(events.map((event) => event.name));
  if (twice !== undefined) refuse(`the event ${quote(twice)} is listed twice`);
  for (const event of events) {
    const name = repeated(event.attributes.map((attribute) => attribute.name));
    if (name !== undefined) refuse(`the attribute ${quote(name)} of ${quote(event.name)} is listed twice`);
  }
}

function repeated(names: readonly string[]): string | undefined {
  return names.find((name, at) => names.indexOf(name) !== at);
}

function attributeOf(name: string, event: ContractEvent): string {
  return `the attribute ${quote(name)} of ${quote(event.name)}`;
}

function quote(name: string): string {
  return JSON.stringify(name);
}

function refuse(sentence: string): never {
  throw new CodedError('unprocessable', { message: `events: ${sentence}.` });
}
