import { UserEventData } from '@podium/messages';
import { SeededRandom } from '@podium/testing/seeded-random';
import { measuredFromS, measuredNames } from '../../../apps/engagement/test/measured-definitions';
import { createdAtOf, measuredEvent } from '../events';

const dayS = 86_400;
const daysOfMonth = 365.25 / 12;

/** Who is active how often. */
export interface Activity {
  readonly users: number;
  /** Days of a month on which a user is active. */
  readonly activeDays: number;
  /** Events of a user on such a day, of the names in turn. */
  readonly perActiveDay: number;
  readonly lanes: number;
  readonly batch: number;
}

/** The events of a year, day by day, always the same. Every user belongs to one partition. */
export class YearEvents {
  private readonly random = new SeededRandom(42);
  private made = 0;

  constructor(private readonly activity: Activity) {}

  /** The events that are received on a UTC day that begins at `fromS` (Unix seconds), in batches by partition. */
  ofDay(fromS: number): UserEventData[][][] {
    const { users, lanes, batch } = this.activity;
    const received: { readonly atS: number; readonly user: number; readonly name: string }[] = [];
    for (let user = 0; user < users; user++)
      for (const name of this.namesOfDay())
        received.push({ atS: fromS + Math.floor(this.random.next() * dayS), user, name });
    received.sort((a, b) => a.atS - b.atS);
    const byLane = Array.from({ length: lanes }, (): UserEventData[] => []);
    for (const { atS, user, name } of received) {
      this.made++;
      byLane[user % lanes].push(
        measuredEvent({
          ...{ user, name, receivedAt: atS, random: () => this.random.next(), id: `year-${this.made}` },
          createdAt: Math.max(measuredFromS, createdAtOf(atS, this.made)),
        }),
      );
    }
    return byLane.map((events) =>
      Array.from({ length: Math.ceil(events.length / batch) }, (_, at) => events.slice(at * batch, (at + 1) * batch)),
    );
  }

  /** The names of a user's events on a day, none unless the user is active. */
  private namesOfDay(): string[] {
    const { activeDays, perActiveDay } = this.activity;
    if (this.random.next() >= activeDays / daysOfMonth) return [];
    const first = Math.floor(this.random.next() * measuredNames.length);
    return Array.from({ length: perActiveDay }, (_, turn) => measuredNames[(first + turn) % measuredNames.length]);
  }
}
