import { bearerError } from './bearer-challenge';

describe('the error of a Bearer challenge', () => {
  it.each<[string | undefined, string | undefined]>([
    ['Bearer error="invalid_token"', 'invalid_token'],
    ['bearer error=invalid_token', 'invalid_token'],
    ['Bearer realm="x", error="invalid_token", error_description="expired"', 'invalid_token'],
    ['Bearer realm="x" error="invalid_token"', 'invalid_token'],
    ['Basic realm="x", Bearer error="invalid_token"', 'invalid_token'],
    ['DPoP algs="ES256 PS256", Bearer realm="a, b", Error = "invalid_token"', 'invalid_token'],
    ['Bearer error="invalid_token", DPoP algs="ES256", error="invalid_dpop_proof"', 'invalid_token'],
    ['Bearer error_description="not error=invalid_token", error="insufficient_scope"', 'insufficient_scope'],
    ['Bearer error_description="error=invalid_token"', undefined],
    ['Bearer, DPoP error="invalid_token"', undefined],
    ['DPoP error="invalid_token"', undefined],
    ['BearerX error="invalid_token"', undefined],
    ['Bearer', undefined],
    ['', undefined],
    [undefined, undefined],
  ])('%j: %s', (header, error) => {
    expect(bearerError(header)).toBe(error);
  });

  it('is found in linear time in a header of 16 KB', () => {
    const started = process.cpuUsage();
    for (const part of ['a=', 'a=b ', 'a="\\"', ', ', ' ,Bearer ', ',Bearer a= '])
      bearerError(`Bearer ${part.repeat(16_384 / part.length)}`);
    // Of this process: others do not count.
    expect(process.cpuUsage(started).user).toBeLessThan(1_000_000);
  });
});
