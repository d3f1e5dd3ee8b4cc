/** Bytes of memory that many requests share. */
export class ByteBudget {
  private takenBytes = 0;

  constructor(private readonly maxBytes: number) {}

  /** Takes so many bytes; false when they are not there, and then none are taken. */
  take(bytes: number): boolean {
    if (this.takenBytes + bytes > this.maxBytes) return false;
    this.takenBytes += bytes;
    return true;
  }

  give(bytes: number): void {
    this.takenBytes -= bytes;
  }
}
