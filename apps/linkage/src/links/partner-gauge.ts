import { BoundedLabel, Gauge, Registry } from '@podium/runtime/metrics';

/** A value of a partner. */
export interface PartnerValue {
  readonly platform: string;
  readonly value: number;
}

/** What a gauge shows; each round replaces all values. */
export interface PartnerGaugeOptions {
  readonly name: string;
  readonly help: string;
  /** The value of each partner; one that is missing has none. */
  readonly read: () => Promise<readonly PartnerValue[]>;
  /** Joins the values of partners that share a label, because there are very many. */
  readonly join: (a: number, b: number) => number;
}

/** A value of each partner, read from the database in rounds. */
export class PartnerGauge {
  private readonly gauge: Gauge<'platform'>;
  private readonly platforms = new BoundedLabel();

  constructor(
    private readonly options: PartnerGaugeOptions,
    registry: Registry,
  ) {
    const { name, help } = options;
    this.gauge = new Gauge({ name, help, labelNames: ['platform'], registers: [registry] });
  }

  /** One round. */
  async run(): Promise<void> {
    const values = new Map<string, number>();
    for (const { platform, value } of await this.options.read()) {
      const label = this.platforms.of(platform);
      const known = values.get(label);
      values.set(label, known === undefined ? value : this.options.join(known, value));
    }
    this.gauge.reset();
    for (const [platform, value] of values) this.gauge.set({ platform }, value);
  }
}
