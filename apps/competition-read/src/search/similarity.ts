import { charactersOf } from './fold-name';
import { editsBetween } from './edit-distance';
import { Groups } from './groups';
import { Units } from './units';

/** Minimum length of a text for which similar names are searched. */
export const minSimilarCharacters = 3;

/** Share of common groups of three characters that similar names need. */
const minOverlap = 0.3;

/** Compares names with one folded search text. */
export class Similarity {
  private readonly text: Units;
  private readonly maxEdits: number;
  /** The units that the text has. */
  private readonly occurring: number;
  private readonly groups = new Groups();

  constructor(text: string) {
    this.text = Units.of(text);
    this.maxEdits = maxEditsFor(charactersOf(text).length);
    this.occurring = occurringIn(this.text);
    this.groups.read(this.text);
  }

  /**
   * Distance of a folded name from the text: lower is more similar, null is not similar. Most similar is a name within one
   * or two edits of the text (1, 2), then one whose beginning is (3, 4), then one that shares enough groups of three
   * characters with it (above 5).
   */
  distanceTo(name: Units): number | null {
    if (this.canBeEdited(name)) {
      const { whole, beginning } = editsBetween(this.text, name, this.maxEdits);
      if (whole <= this.maxEdits) return whole;
      if (beginning <= this.maxEdits) return 2 + beginning;
    }
    const overlap = this.overlapWith(name);
    return overlap >= minOverlap ? 6 - overlap : null;
  }

  /** Whether few enough units of the text are missing from the name: each takes an edit of its own. */
  private canBeEdited(name: Units): boolean {
    let missing = this.occurring & ~occurringIn(name);
    for (let edits = 0; missing !== 0; edits++) {
      if (edits === this.maxEdits) return false;
      missing &= missing - 1;
    }
    return true;
  }

  /** Common groups divided by all. */
  private overlapWith(name: Units): number {
    groupsOfName.read(name);
    const common = groupsOfName.countCommon(this.groups);
    return common / (this.groups.size + groupsOfName.size - common);
  }
}

/** Of the name that is compared; one at a time. */
const groupsOfName = new Groups();

/** Maximum number of edits that count as typos in a text of this length. */
function maxEditsFor(length: number): number {
  return length < minSimilarCharacters ? 0 : length < 6 ? 1 : 2;
}

/** The units that occur in a text, as bits; units that differ by a multiple of 32 share a bit. */
function occurringIn(text: Units): number {
  let occurring = 0;
  for (let at = 0; at < text.length; at++) occurring |= 1 << (text.at(at) & 31);
  return occurring;
}
