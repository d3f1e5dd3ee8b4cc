import { Admission, CellRate, admit, shareOf } from './gcra';

const maxCallers = 10_000;

/** The limiter of one instance while Redis is unavailable: its share of each caller's rate, on a monotonic clock. */
export class LocalShare {
  private readonly arrivalsUs = new Map<string, number>();

  constructor(
    private readonly instances: () => number,
    private readonly nowUs: () => number = () => Math.floor(performance.now() * 1000),
  ) {}

  /** Decides on `asked` requests of a caller at this time. */
  take(caller: string, rate: CellRate, asked: number): Admission {
    const nowUs = this.nowUs();
    const admission = admit(shareOf(rate, this.instances()), this.arrivalsUs.get(caller), nowUs, asked);
    if (!this.arrivalsUs.has(caller) && this.arrivalsUs.size >= maxCallers) this.forgetExpired(nowUs);
    this.arrivalsUs.set(caller, admission.arrivalUs);
    return admission;
  }

  private forgetExpired(nowUs: number): void {
    for (const [caller, arrivalUs] of this.arrivalsUs) if (arrivalUs <= nowUs) this.arrivalsUs.delete(caller);
  }
}
