import { CodedError } from './coded-error';
import { dataErrorBody } from './error-bodies';
import { errorCatalogue } from './error-catalogue';

describe('the error body of the data edge', () => {
  it('contains the message, the data code, the status and the parameters at fault', () => {
    const error = new CodedError('invalid_request', { message: 'limit: must be at most 100', parameters: ['limit'] });
    expect(dataErrorBody(error)).toEqual({
      errors: [{ message: 'limit: must be at most 100', code: 'err_br0', http_status: 400, parameters: ['limit'] }],
    });
  });

  it('is created from a code alone, with its public sentence or another one', () => {
    expect(dataErrorBody('not_found').errors[0]).toEqual({
      message: errorCatalogue.not_found.publicSentence,
      code: 'err_nf0',
      http_status: 404,
      parameters: [],
    });
    expect(dataErrorBody('not_found', { message: 'No such game.', parameters: ['game_id'] }).errors[0]).toMatchObject({
      message: 'No such game.',
      parameters: ['game_id'],
    });
  });

  it('has one status per data code, so that a client may use either', () => {
    const statuses = new Map<string, Set<number>>();
    for (const { dataCode, status } of Object.values(errorCatalogue))
      statuses.set(dataCode, (statuses.get(dataCode) ?? new Set()).add(status));
    expect([...statuses.values()].every((set) => set.size === 1)).toBe(true);
  });
});
