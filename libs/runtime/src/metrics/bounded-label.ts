/**
 * Values of a label that people outside choose, such as names of platforms: the first keep their name, all further ones are
 * `other`, so that the number of series stays bounded whatever anybody does.
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
