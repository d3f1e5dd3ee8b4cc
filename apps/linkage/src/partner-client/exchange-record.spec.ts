import { describeForm, describeResponse } from './exchange-record';

const response = (body: string | Buffer, status = 200) =>
  describeResponse({ status, body: Buffer.from(body), retryAfter: undefined, challenge: undefined });

describe('the description of an exchange', () => {
  it('shows no value of a form except what this service chose and is no secret', () => {
    const form = new URLSearchParams({ grant_type: 'refresh_token', refresh_token: 'rt-canary', client_id: 'podium' });
    expect(describeForm(form.toString())).toEqual({
      ...{ grant_type: 'refresh_token', client_id: 'podium', refresh_token: 'text of 9 characters' },
    });
    expect(describeForm(undefined)).toEqual({});
  });

  it('shows fields that standards name by type and length, and counts the others', () => {
    const body = {
      ...{ access_token: 'canary', token_type: 'bearer', expires_in: 3600, refresh_token: null, scope: ['canary'] },
      ...{ sub: 'canary', nickname: '', error: 'invalid_grant', error_description: 'canary', canary: 1, other: 2 },
    };
    expect(response(JSON.stringify(body)).fields).toEqual({
      ...{ access_token: 'text of 6 characters', token_type: 'bearer', expires_in: '3600', refresh_token: 'null' },
      ...{ scope: 'list of 1', sub: 'text of 6 characters', nickname: 'empty text', error: 'invalid_grant' },
      ...{ error_description: 'text of 6 characters', 'other fields': '2' },
    });
  });

  it.each([
    [{ token_type: 'canary' }, { token_type: 'text of 6 characters' }],
    [{ error: 'canary' }, { error: 'text of 6 characters' }],
    [{ error: { canary: 1 } }, { error: 'object' }],
    [{ expires_in: '3600' }, { expires_in: 'text of 4 characters' }],
  ])('describes %j as %j', (body, fields) => expect(response(JSON.stringify(body)).fields).toEqual(fields));

  it.each([
    ['', 'empty'],
    ['<!doctype html>canary', 'HTML or XML, 21 bytes'],
    ['{"access_token":"canary"', 'JSON that cannot be read, 24 bytes'],
    ['["canary"]', 'JSON that cannot be read, 10 bytes'],
    ['canary', 'text, 6 bytes'],
  ])('says of %j only its kind and size', (body, described) =>
    expect(response(body, 502)).toEqual({ status: 502, body: described, fields: {} }),
  );
});
