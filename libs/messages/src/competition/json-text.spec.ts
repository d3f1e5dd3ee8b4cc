import * as fc from 'fast-check';
import { jsonText } from './json-text';

describe('jsonText', () => {
  it.each([
    ['\ud83c', '\ufffd'],
    ['\udf89 party', '\ufffd party'],
    ['\ud800\udbff\udc00\udfff', '\ufffd\u{10fc00}\ufffd'],
    ['🎉\ud83c', '🎉\ufffd'],
    ['\\ud83c', '\\ud83c'],
    ['\\\ud83c', '\\\ufffd'],
    ['\\\\ud83c\\\\\ud83c', '\\\\ud83c\\\\\ufffd'],
  ])('writes %j so that strict parsers read it', (given, read) => {
    const json = jsonText({ [given]: [given] });
    expect(json.toLowerCase()).not.toMatch(/[^\\]\\ud[89a-f]/);
    expect(JSON.parse(json)).toEqual({ [read]: [read] });
  });

  it('changes nothing else, whatever the text', () => {
    const unit = fc.oneof(fc.constantFrom('\\', '"', 'u', 'd', '8', 'ud83c', '\ud83c', '\udf89'), fc.string());
    fc.assert(
      fc.property(fc.array(unit), (units) => {
        const text = units.join('');
        expect(JSON.parse(jsonText([text]))).toEqual([text.toWellFormed()]);
      }),
    );
  });
});
