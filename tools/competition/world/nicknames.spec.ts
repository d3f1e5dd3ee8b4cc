import { Nicknames } from './nicknames';
import { leadingStems, otherScripts, trailingStems } from './words';

describe('Nicknames', () => {
  it('gives every player a unique name, also after all stems were used once', () => {
    const nicknames = new Nicknames(1);
    const count = 2 ** 18 + 50_000;
    const names = new Set<string>();
    for (let player = 0; player < count; player++) names.add(nicknames.of(player));
    expect(names.size).toBe(count);
  });

  it('has names in other scripts, and other names for another seed', () => {
    const names = Array.from({ length: 300 }, (_, player) => new Nicknames(1).of(player));
    expect(names.some((name) => /\p{Script=Cyrillic}/u.test(name))).toBe(true);
    expect(new Nicknames(2).of(1)).not.toBe(names[1]);
  });

  it('uses stems of which no two pairs give the same text', () => {
    const pairs = new Set(leadingStems.flatMap((first) => trailingStems.map((second) => first + second)));
    expect(pairs.size).toBe(256 * 128);
    expect(new Set(otherScripts).size).toBe(32);
  });
});
