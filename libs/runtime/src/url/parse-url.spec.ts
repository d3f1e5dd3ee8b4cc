import { parseUrl } from './parse-url';

describe('parseUrl', () => {
  it('parses by the standard, and says null for what is no address', () => {
    expect(parseUrl('https://shop.example/a?b')?.pathname).toBe('/a');
    expect(parseUrl('/a', 'https://shop.example')?.href).toBe('https://shop.example/a');
    expect(parseUrl('shop.example')).toBeNull();
    expect(parseUrl('')).toBeNull();
  });

  it('takes international names also when it has been called often', () => {
    let taken = 0;
    const calls = 100_000;
    for (let call = 0; call < calls; call++)
      if (parseUrl(call % 2 === 0 ? 'https://shop.example' : 'https://b\u00fccher.example') !== null) taken++;
    expect(taken).toBe(calls);
  });
});
