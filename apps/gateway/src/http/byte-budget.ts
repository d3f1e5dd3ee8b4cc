/** Memory that a reader takes for a body, and that is released when the body is not needed any more. */
export interface MemoryBudget {
  take(bytes: number): boolean;
  release(bytes: number): void;
}

/** Bytes of memory that many requests share. */
export class ByteBudget implements MemoryBudget {
  private takenBytes = 0;

  constructor(private readonly maxBytes: number) {}

  /** Reserves bytes; returns false, and reserves none, when too few are free. */
  take(bytes: number): boolean {
    if (this.takenBytes + bytes > this.maxBytes) return false;
    this.takenBytes += bytes;
    return true;
  }

  /** Releases reserved bytes. */
  release(bytes: number): void {
    this.takenBytes -= bytes;
  }
}
