/**
 * The UTF-16 units of a text, in a buffer that other texts can replace: a search compares many names, and each text of its own
 * would cost more than the comparison.
 */
export class Units {
  length = 0;
  private units = new Uint16Array(256);

  static of(text: string): Units {
    const units = new Units();
    units.append(text, 0, text.length);
    return units;
  }

  at(index: number): number {
    return this.units[index];
  }

  clear(): void {
    this.length = 0;
  }

  /** Appends the units of a part of a text. */
  append(text: string, from: number, to: number): void {
    const length = this.length + to - from;
    if (length > this.units.length) this.grow(length);
    const { units } = this;
    let end = this.length;
    for (let at = from; at < to; at++) units[end++] = text.charCodeAt(at);
    this.length = length;
  }

  toString(): string {
    let text = '';
    for (let at = 0; at < this.length; at++) text += String.fromCharCode(this.units[at]);
    return text;
  }

  private grow(length: number): void {
    const units = new Uint16Array(2 * length);
    units.set(this.units);
    this.units = units;
  }
}
