import { printable as printableForOperators } from '../../../../apps/operator/src/cli/output';
import { printable } from './printable';

describe('a text from outside', () => {
  it('moves no cursor and turns no line around', () => {
    expect(printable('a\u001b[2Jb\u0007\u009bc\u2028')).toBe('a\ufffd[2Jb\ufffd\ufffdc\ufffd');
    expect(printable('id\u202e1\u2066\u200e\u061c')).toBe('id\ufffd1\ufffd\ufffd\ufffd');
    expect(printable('Zoë \u05d0\u05d1 \ud83d\udc69\u200d\ud83d\udcbb')).toBe(
      'Zoë \u05d0\u05d1 \ud83d\udc69\u200d\ud83d\udcbb',
    );
  });

  it("is shown as the operators' command line shows it", () => {
    const differing = Array.from({ length: 0x10000 }, (_, code) => String.fromCharCode(code)).filter(
      (char) => printable(char) !== printableForOperators(char),
    );
    expect(differing).toEqual([]);
  });
});
