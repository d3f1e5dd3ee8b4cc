import { Admission, CellRate, admit, eventRate, shareOf } from './gcra';

const maxPlatforms = 10_000;

/** What one instance gives by itself while Redis is away: its share of each platform's rate, on a monotonic clock. */
export class LocalShare {
  private readonly arrivalsUs = new Map<string, number>();

  constructor(
    private readonly instances: () => number,
    private readonly rate: CellRate = eventRate,
    private readonly nowUs: () => number = () => Math.floor(performance.now() * 1000),
  ) {}

  /** Decides for `asked` requests of a platform at this moment. */
  take(platform: string, asked: number): Admission {
    const nowUs = this.nowUs();
    const admission = admit(shareOf(this.rate, this.instances()), this.arrivalsUs.get(platform), nowUs, asked);
    if (!this.arrivalsUs.has(platform) && this.arrivalsUs.size >= maxPlatforms) this.forgetRested(nowUs);
    this.arrivalsUs.set(platform, admission.arrivalUs);
    return admission;
  }

  private forgetRested(nowUs: number): void {
    for (const [platform, arrivalUs] of this.arrivalsUs) if (arrivalUs <= nowUs) this.arrivalsUs.delete(platform);
  }
}
