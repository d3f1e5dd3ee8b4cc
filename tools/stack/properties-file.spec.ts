import { refuseUnusablePath } from './kafka-path-rules';
import { propertiesFile } from './properties-file';

describe('the settings of a broker', () => {
  it('have the path of a checkout in any language, which Java reads as ISO-8859-1', () => {
    expect(propertiesFile({ 'node.id': 1, 'log.dirs': '/home/jürgen/проект 1/😀/a\\b' })).toBe(
      'node.id=1\nlog.dirs=/home/j\\u00fcrgen/\\u043f\\u0440\\u043e\\u0435\\u043a\\u0442 1/\\ud83d\\ude00/a\\\\b\n',
    );
  });

  it.each(['/home/a,b', '/home/a:b', '/home/😀'])(
    'are not written for %s, which Kafka or Java would not understand',
    (checkout) => {
      const folders = { data: `${checkout}/.stack/data`, cache: `${checkout}/.stack/cache` };
      expect(() => refuseUnusablePath(folders)).toThrow(
        `Kafka cannot use ${folders.data}, because the path has a comma, a colon or an emoji: move the checkout`,
      );
    },
  );

  it('are written for paths with other characters', () => {
    refuseUnusablePath({ data: '/home/jürgen/漢字 b=c/.stack/data', cache: '/home/jürgen/漢字 b=c/.stack/cache' });
  });
});
