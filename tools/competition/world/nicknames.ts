import { Random, Source, mix } from './random';
import { capitalized, leadingStems, otherScripts, trailingStems } from './words';

/** 256 leading stems, 128 trailing ones, eight styles: after these combinations names repeat with different numbers. */
const nameBits = 18;
const nameMask = 2 ** nameBits - 1;

/** Coprime to the count of numbers, so that a name gets each number once. */
const steps = [1, 3, 7, 9, 11, 13, 17, 19];
const numbers = 10_000;

const leadingCapitals = leadingStems.map(capitalized);
const trailingCapitals = trailingStems.map(capitalized);
const leadingLeet = leadingStems.map(leet);
const trailingLeet = trailingStems.map(leet);

/** The showcase player's nickname; no other can equal it. */
export const showcaseNickname = 'PodiumAce';

/** Nicknames by the index of the player: plausible, and unique up to 2.6 billion players. */
export class Nicknames {
  private readonly offset: number;

  constructor(seed: number) {
    this.offset = new Source(seed, 'nickname').number(0);
  }

  of(player: number): string {
    if (player === 0) return showcaseNickname;
    const name = this.permuted(player & nameMask);
    return nicknameOf(name, this.suffixNumber(name, Math.floor(player / 2 ** nameBits)));
  }

  /** A bijection of the names: neighbours get dissimilar ones. */
  private permuted(name: number): number {
    let x = name;
    for (let round = 0; round < 3; round++) {
      x = (Math.imul(x, 0x2c9277b5) + this.offset) & nameMask;
      x ^= x >>> 9;
    }
    return x;
  }

  /** Half of the names have no number as long as they are unused. */
  private suffixNumber(name: number, block: number): number {
    const spread = mix(name ^ this.offset);
    const first = spread & 1 ? 0 : 1 + ((spread >>> 4) % 99);
    return (first + block * steps[(spread >>> 1) & 7]) % numbers;
  }
}

/** Styles differ in capitals, separators or script, so equal texts come only from equal draws. */
function nicknameOf(name: number, number: number): string {
  const style = name & 7;
  const a = (name >>> 3) & 0xff;
  const b = name >>> 11;
  const suffix = number === 0 ? '' : String(number);
  switch (style) {
    case 0:
      return leadingCapitals[a] + trailingCapitals[b] + suffix;
    case 1:
      return `${leadingStems[a]}_${trailingStems[b]}${suffix}`;
    case 2:
      return leadingStems[a] + trailingStems[b] + suffix;
    case 3:
      return leadingStems[a].toUpperCase() + trailingStems[b] + suffix;
    case 4:
      return a < 24
        ? `xX_${leadingCapitals[a]}${trailingCapitals[b]}${suffix}_Xx`
        : `${leadingCapitals[a]}.${trailingStems[b]}${suffix}`;
    case 5:
      return `${leadingLeet[a]}-${trailingLeet[b]}${suffix && '-'}${suffix}`;
    case 6:
      return a < 128
        ? leadingCapitals[a] + ['', '_', '-', '.'][b & 3] + otherScripts[b >>> 2] + suffix
        : `${leadingCapitals[a]}${trailingCapitals[b]}TV${suffix}`;
    default:
      return trailingStems[b] + leadingCapitals[a] + suffix;
  }
}

function leet(stem: string): string {
  return stem.replaceAll('a', '4').replaceAll('e', '3').replaceAll('o', '0');
}

/** A name in a game, from a nickname. */
export function gameName(nickname: string, random: Random): string {
  return random.chance(70) ? nickname : `${nickname}#${random.between(100, 9999)}`;
}
