/** A function of kafkajs that Podium replaces; throws when it is not where it was. */
export function required<F>(found: F | undefined, what: string): F {
  if (typeof found !== 'function')
    throw new Error(`kafkajs is not 2.2.4: its ${what} is not where it was, see libs/runtime/src/kafka`);
  return found;
}
