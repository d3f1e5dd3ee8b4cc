import { createLog } from './create-log';

describe('the log of a process', () => {
  const lines: string[] = [];
  const log = createLog(
    { service: 'gateway', instance: 'gateway-1', level: 'info', fields: () => ({ trace_id: 'abc' }) },
    { write: (line: string) => void lines.push(line) },
  );

  const lineOf = (write: () => void): Record<string, unknown> => {
    lines.length = 0;
    write();
    expect(lines).toHaveLength(1);
    return JSON.parse(lines[0]) as Record<string, unknown>;
  };

  it('writes one line of JSON with service, time and the fields of every line', () => {
    const line = lineOf(() => log.info({ route: 'data', status: 200 }, 'answered'));
    expect(line).toEqual({
      ...{ level: 'info', service: 'gateway', instance: 'gateway-1', trace_id: 'abc' },
      ...{
        time: expect.stringMatching(/^\d{4}-\d\d-\d\dT.*Z$/) as string,
        route: 'data',
        status: 200,
        msg: 'answered',
      },
    });
  });

  it('writes no value of a secret field on any of four levels, and leaves the given object as it is', () => {
    const given = {
      authorization: 'Bearer s3cret',
      request: { url: '/token', cookie: 's3cret', body: { refresh_token: 's3cret', grant_type: 'refresh_token' } },
      keys: [{ key: 's3cret', id: 'k1' }],
      password: { value: 's3cret' },
    };
    const copy = structuredClone(given);
    const line = lineOf(() => log.info(given, 'sent'));
    expect(JSON.stringify(line)).not.toContain('s3cret');
    expect(line).toMatchObject({
      authorization: '(redacted)',
      request: {
        url: '/token',
        cookie: '(redacted)',
        body: { refresh_token: '(redacted)', grant_type: 'refresh_token' },
      },
      keys: [{ key: '(redacted)', id: 'k1' }],
      password: '(redacted)',
    });
    expect(given).toEqual(copy);
  });

  it('writes what an object says of itself, without its secret fields', () => {
    const secret = { hidden: 's3cret', toJSON: () => ({ name: 'events', token: 's3cret' }) };
    const line = lineOf(() => log.info({ secret, at: new Date(0), none: null }, 'read'));
    expect(line).toMatchObject({
      secret: { name: 'events', token: '(redacted)' },
      at: '1970-01-01T00:00:00.000Z',
      none: null,
    });
    expect(JSON.stringify(line)).not.toContain('s3cret');
  });

  it('redacts the fields of child loggers', () => {
    const line = lineOf(() => log.child({ token: 's3cret', platform: 'p1' }).info('started'));
    expect(line).toMatchObject({ token: '(redacted)', platform: 'p1' });
  });

  it('writes errors with their stack and code, without secret fields', () => {
    const error = Object.assign(new Error('connect failed', { cause: new Error('refused') }), {
      code: 'ECONNREFUSED',
      token: 's3cret',
      config: { headers: { authorization: 's3cret' }, password: 's3cret' },
    });
    for (const write of [() => log.error({ err: error }, 'failed'), () => log.error(error, 'failed')]) {
      const line = lineOf(write);
      expect(line).toMatchObject({
        msg: 'failed',
        err: {
          type: 'Error',
          message: 'connect failed: refused',
          stack: expect.stringContaining('create-log.spec') as string,
          code: 'ECONNREFUSED',
          token: '(redacted)',
          config: { password: '(redacted)', headers: { authorization: '(redacted)' } },
        },
      });
      expect(JSON.stringify(line)).not.toContain('s3cret');
    }
  });

  it('writes errors of the database without the values of rows', () => {
    const row = 'Failing row contains (user-17, canary).';
    const driverError = Object.assign(new Error('violates check constraint'), {
      detail: row,
      where: 'COPY line 1: canary',
    });
    const error = Object.assign(new Error('violates check constraint'), {
      ...{ code: '23514', table: 'links', constraint: 'links_state', detail: row },
      ...{ query: 'INSERT INTO linkage.links VALUES ($1)', parameters: ['canary'], driverError },
    });
    const line = lineOf(() => log.error({ err: error }, 'failed'));
    expect(line).toMatchObject({
      err: { code: '23514', table: 'links', constraint: 'links_state', query: 'INSERT INTO linkage.links VALUES ($1)' },
    });
    expect(JSON.stringify(line)).not.toContain('canary');
    expect(lineOf(() => log.info({ detail: 'a detail' }, 'done'))).toMatchObject({ detail: 'a detail' });
  });
});
