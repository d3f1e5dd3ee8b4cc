import { checkoutFolder } from '../../tools/stack/folders';

/** Patterns of internals that a response must not contain, with their names. */
const patterns: readonly (readonly [name: string, pattern: RegExp])[] = [
  ['a stack', /\bat (?:async )?[\w.<>[\] ]+ \(?(?:node:|file:|\/)[^\s)]*:\d+:\d+/],
  ['a source file', /\b[\w-]+\.(?:ts|js|mjs|cjs):\d+/],
  ['a package', /node_modules/],
  ['SQL', /\b(?:select\b.{0,80}\bfrom|insert into|update \w+ set|delete from)\b/i],
  [
    'Postgres',
    /syntax error at or near|violates (?:unique|check|foreign|not-null)|relation "|invalid input syntax|duplicate key/i,
  ],
  ['a client of a server', /\b(?:ioredis|kafkajs|typeorm|QueryFailedError|ECONNREFUSED|FST_ERR|UND_ERR)\b/i],
  ['a path of this machine', new RegExp(checkoutFolder.replaceAll('/', '\\/'))],
];

/** Returns the names of leaked internals; text that the request itself contains is not a leak. */
export function leaksIn(answer: string, request: string, secrets: readonly string[]): string[] {
  const leaks: string[] = [];
  for (const [name, pattern] of patterns) {
    const [shown] = pattern.exec(answer) ?? [];
    if (shown !== undefined && !request.includes(shown)) leaks.push(name);
  }
  if (secrets.some((secret) => answer.includes(secret) && !request.includes(secret))) leaks.push('a secret');
  return leaks;
}
