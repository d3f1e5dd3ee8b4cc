/**
 * Values of a label that clients choose, such as names of platforms. The first values are used as they are, later ones
 * become `other`, so that the number of series stays bounded.
 */
export class BoundedLabel {
  private readonly known = new Set<string>();

  constructor(private readonly max = 200) {}

  /** The value itself, or `other`. */
  of(value: string): string {
    if (this.known.has(value)) return value;
    if (this.known.size >= this.max) return 'other';
    this.known.add(value);
    return value;
  }
}
