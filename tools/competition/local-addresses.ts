import * as fs from 'node:fs';
import * as path from 'node:path';

const folder = path.resolve(__dirname, '../../.stack');

/** `KAFKA_BROKERS`, else those of the stack that runs in this checkout; throws when there is neither. */
export function kafkaBrokers(): string[] {
  return address('KAFKA_BROKERS', 'kafka_brokers').split(',');
}

/** `DATABASE_URL`, else that of the stack that runs in this checkout; throws when there is neither. */
export function databaseUrl(): string {
  return address('DATABASE_URL', 'database_url');
}

function address(variable: string, name: 'kafka_brokers' | 'database_url'): string {
  const given = process.env[variable];
  if (given) return given;
  for (const file of ['stack.json', 'infra.json']) {
    const where = path.join(folder, file);
    if (!fs.existsSync(where)) continue;
    const known = (JSON.parse(fs.readFileSync(where, 'utf8')) as Record<string, unknown>)[name];
    if (typeof known === 'string') return known;
  }
  throw new Error(`${variable} is not set and no local stack runs here: set it, or run "npm start" first.`);
}
