import { fields } from './config';

describe('INGESTION_URLS', () => {
  const { parse } = fields.INGESTION_URLS;

  it('returns the addresses as parsed', () => {
    expect(parse('HTTP://Ingestion:8080/, http://[::1]:7402,http://127.0.0.1')).toEqual([
      'http://ingestion:8080',
      'http://[::1]:7402',
      'http://127.0.0.1',
    ]);
  });

  it.each(['https://ingestion:8443', 'http://a,https://b', 'http://ingestion:8080/v1', 'http://a/b?c=d', 'ingestion'])(
    'refuses %s',
    (value) => expect(() => parse(value)).toThrow(/must/),
  );
});
