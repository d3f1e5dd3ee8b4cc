import { ByteBudget, MemoryBudget } from './byte-budget';

/** Bytes of memory that all callers share, of which each caller may take a part, so that none uses up those of the others. */
export class SharedByteBudget {
  /** The budget of callers without a part of their own, who may take all that is left. */
  readonly whole: MemoryBudget;
  private readonly takenByCaller = new Map<string, number>();

  constructor(private readonly limits: { readonly maxBytes: number; readonly maxBytesPerCaller: number }) {
    this.whole = new ByteBudget(limits.maxBytes);
  }

  /** The budget of one caller. */
  of(caller: string): MemoryBudget {
    return {
      take: (bytes) => this.take(caller, bytes),
      release: (bytes) => this.release(caller, bytes),
    };
  }

  /** Callers that hold bytes at the moment. */
  callers(): number {
    return this.takenByCaller.size;
  }

  private take(caller: string, bytes: number): boolean {
    const takenBytes = (this.takenByCaller.get(caller) ?? 0) + bytes;
    if (takenBytes > this.limits.maxBytesPerCaller || !this.whole.take(bytes)) return false;
    this.takenByCaller.set(caller, takenBytes);
    return true;
  }

  private release(caller: string, bytes: number): void {
    this.whole.release(bytes);
    const leftBytes = (this.takenByCaller.get(caller) ?? 0) - bytes;
    if (leftBytes > 0) this.takenByCaller.set(caller, leftBytes);
    else this.takenByCaller.delete(caller);
  }
}
