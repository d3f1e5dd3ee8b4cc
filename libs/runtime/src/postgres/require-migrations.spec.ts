import { Queryable } from './queryable';
import { requireMigrations } from './require-migrations';

const needed = { schema: 'app', migrations: [{ name: 'CreateThings1' }] };

/** A database whose attempts end in turn with these errors; then all migrations are applied. */
function databaseAfter(...errors: { code: string; message: string }[]): Queryable {
  return {
    query: async () => {
      const error = errors.shift();
      if (error) throw Object.assign(new Error(error.message), error);
      return { rows: [{ name: 'CreateThings1' }], rowCount: 1 } as never;
    },
  };
}

describe('requireMigrations', () => {
  const refused = { code: 'ECONNREFUSED', message: 'connect ECONNREFUSED 10.0.0.1:5432' };
  const starting = { code: '57P03', message: 'the database system is starting up' };

  async function causesUntilDone(db: Queryable): Promise<unknown[]> {
    const causes: unknown[] = [];
    const warn = ({ cause }: { cause: unknown }): void => void causes.push(cause);
    await requireMigrations(db, needed, { warn: warn as never });
    return causes;
  }

  it('waits while Postgres is away, and tells each cause once', async () => {
    expect(await causesUntilDone(databaseAfter(refused, refused, starting))).toEqual([
      refused.message,
      starting.message,
    ]);
  });

  it.each([
    ['28P01', 'password authentication failed for user "podium_app"'],
    ['3D000', 'database "podium" does not exist'],
    ['SELF_SIGNED_CERT_IN_CHAIN', 'self-signed certificate in certificate chain'],
  ])('ends at once with %s, because a further start may find another address or authority', async (code, message) => {
    await expect(causesUntilDone(databaseAfter({ code, message }))).rejects.toThrow(message);
  });

  it('names what is missing', async () => {
    const db = databaseAfter({ code: '42P01', message: 'relation "app.migrations" does not exist' });
    await expect(causesUntilDone(db)).rejects.toThrow('schema app lacks CreateThings1: run the migrations');
  });
});
