import { Units } from './units';
import { wordsOf } from './words';

/**
 * The different groups of three units in the words of a text, with two spaces before each word and one after it. Its table is
 * used again for the next text: a search compares many names, and a set for each would cost more than the comparison.
 */
export class Groups {
  size = 0;
  private readonly groups = new Float64Array(maxGroups);
  private readonly table = new Float64Array(tableSize);
  /** The number of the text whose group has the slot. */
  private readonly owners = new Uint16Array(tableSize);
  private owner = 1;

  /** Takes the groups of a text instead of those that it has. Most names are ASCII, of which one pass finds the words. */
  read(text: Units): void {
    this.clear();
    let first = space;
    let second = space;
    for (let at = 0; at <= text.length; at++) {
      const unit = at < text.length ? text.at(at) : space;
      if (unit >= 0x80) return this.readWords(wordsOf(text.toString()));
      if (isInWord(unit)) {
        this.add(asciiGroup(first, second, unit));
        first = second;
        second = unit;
      } else if (second !== space) {
        this.add(asciiGroup(first, second, space));
        first = second = space;
      }
    }
    if (this.size === 0) this.readWords([text.toString()]);
  }

  /** Number of groups that both have. */
  countCommon(other: Groups): number {
    let common = 0;
    for (let at = 0; at < this.size; at++) if (other.has(this.groups[at])) common++;
    return common;
  }

  private readWords(words: readonly string[]): void {
    this.clear();
    for (const word of words) {
      let first = space;
      let second = space;
      for (let at = 0; at <= word.length; at++) {
        const third = at < word.length ? word.charCodeAt(at) : space;
        this.add(groupOf(first, second, third));
        first = second;
        second = third;
      }
    }
  }

  private clear(): void {
    this.size = 0;
    if (this.owner === maxOwner) {
      this.owners.fill(0);
      this.owner = 0;
    }
    this.owner++;
  }

  private add(group: number): void {
    const slot = this.slotOf(group);
    if (this.owners[slot] === this.owner || this.size === maxGroups) return;
    this.owners[slot] = this.owner;
    this.table[slot] = group;
    this.groups[this.size++] = group;
  }

  private has(group: number): boolean {
    return this.owners[this.slotOf(group)] === this.owner;
  }

  /** The slot that has the group, or the free one where it would be. */
  private slotOf(group: number): number {
    let slot = (group ^ (group >>> 7)) & (tableSize - 1);
    while (this.owners[slot] === this.owner && this.table[slot] !== group) slot = (slot + 1) & (tableSize - 1);
    return slot;
  }
}

const maxOwner = 2 ** 16 - 1;

/** A folded name has fewer: at most 128 characters of two units, and a group more than units in each word. */
const maxGroups = 400;

/** A power of two, above `maxGroups`. */
const tableSize = 512;

/** Whether an ASCII unit is a letter or a digit. */
function isInWord(unit: number): boolean {
  return (unit >= 0x61 && unit <= 0x7a) || (unit >= 0x30 && unit <= 0x39) || (unit >= 0x41 && unit <= 0x5a);
}

const space = 0x20;

/** Three units as one number, which is above 21 bits unless all are ASCII. */
function groupOf(first: number, second: number, third: number): number {
  return (first | second | third) < 0x80
    ? asciiGroup(first, second, third)
    : (first * 2 ** 16 + second) * 2 ** 16 + third;
}

function asciiGroup(first: number, second: number, third: number): number {
  return (first << 14) | (second << 7) | third;
}
