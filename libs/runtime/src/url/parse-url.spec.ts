import { parseUrl } from './parse-url';

describe('parseUrl', () => {
  it('parses by the standard, and returns null for an invalid URL', () => {
    expect(parseUrl('https://shop.example/a?b')?.pathname).toBe('/a');
    expect(parseUrl('/a', 'https://shop.example')?.href).toBe('https://shop.example/a');
    expect(parseUrl('shop.example')).toBeNull();
    expect(parseUrl('')).toBeNull();
  });

  it('accepts international names also after many calls', () => {
    let taken = 0;
    const calls = 100_000;
    for (let call = 0; call < calls; call++)
      if (parseUrl(call % 2 === 0 ? 'https://shop.example' : 'https://b\u00fccher.example') !== null) taken++;
    expect(taken).toBe(calls);
  });
});
