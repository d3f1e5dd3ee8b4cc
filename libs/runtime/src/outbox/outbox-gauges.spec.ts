import { Pool } from 'pg';
import { pino } from 'pino';
import { Registry } from 'prom-client';
import { OutboxGauges } from './outbox-gauges';

describe('OutboxGauges', () => {
  const logger = pino({ level: 'silent' });
  const answers: ((result: { rows: object[] }) => void)[] = [];
  const query = (sql: string) =>
    sql.includes('timeline')
      ? Promise.resolve({ rows: [{ known: true }] })
      : new Promise<{ rows: object[] }>((resolve) => answers.push(resolve));
  const registry = new Registry();
  const scrape = async (): Promise<string | undefined> =>
    /^outbox_oldest_age_seconds (.*)$/m.exec(await registry.metrics())?.[1];

  it('show the last age while Postgres is silent: a scrape does not wait', async () => {
    const gauges = new OutboxGauges({ pool: { query } as unknown as Pool, schema: 's', logger, registry, everyMs: 1 });
    gauges.start();
    expect(await scrape()).toBe('0');
    while (answers.length < 2) {
      answers.at(-1)?.({ rows: [{ age: '7.5' }] });
      await new Promise((resolve) => setTimeout(resolve, 1));
    }
    expect(await scrape()).toBe('7.5');
    const stopped = gauges.stop();
    answers.at(-1)!({ rows: [] });
    await stopped;
    expect(await scrape()).toBe('0');
  });
});
