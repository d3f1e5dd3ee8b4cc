import { SeededRandom } from '@podium/testing/seeded-random';
import { type PlannedChange, planChanges } from './plan-definitions';
import { type LinkChange, type PlannedEvent, type PlannedUser, planUser } from './plan-users';

/** What happens while the clock of all instances stays where it is. */
export interface PlannedStep {
  /** Unix seconds. */
  readonly atS: number;
  readonly links: readonly LinkChange[];
  readonly events: readonly PlannedEvent[];
  readonly changes: readonly PlannedChange[];
}

/** A day on which operators change segments and tasks while events and links flow. */
export interface Plan {
  /** That no other spec has: records of all specs are on the same topics. */
  readonly platform: string;
  readonly steps: readonly PlannedStep[];
  readonly users: readonly PlannedUser[];
  /** Unix seconds: the clock at the end. For minutes after it nothing changes by time, because windows end at full hours. */
  readonly endS: number;
}

const dayS = 86_400;
const beginS = Date.parse('2026-11-24T08:00:00Z') / 1000;
/** Less than the lead of other bounds before a day of UTC begins. */
const beforeMidnightS = Date.parse('2026-11-24T23:55:30Z') / 1000;
const exactUsers = 8;
const otherUsers = 16;

/** The plan of a seed: the same for the same seed, but for the name of the platform. */
export function planOf(seed: number, platform: string): Plan {
  const choices = new SeededRandom(seed);
  const clock = clockOf(choices);
  const changes = planChanges(choices, clock, clock.indexOf(beforeMidnightS));
  const users = Array.from({ length: exactUsers + otherUsers }, (_each, index) =>
    planUser(choices, { platform, number: index, isExact: index < exactUsers, clock }),
  );
  return {
    platform,
    users,
    endS: (Math.floor(clock[clock.length - 1] / 3_600) + choices.whole(36, 72)) * 3_600 + 1_200,
    steps: clock.map((atS, step) => ({
      atS,
      links: users.flatMap(({ linkChanges }) => linkChanges.get(step) ?? []),
      events: users.flatMap(({ events }) => events.get(step) ?? []),
      changes: changes.get(step) ?? [],
    })),
  };
}

/** Seconds at which the clock stays for a moment, about fifty of a day. */
function clockOf(choices: SeededRandom): number[] {
  const seconds = [beginS];
  for (let atS = beginS; atS < beginS + dayS - 7_200;) seconds.push((atS += choices.whole(240, 3_000)));
  return [...seconds.filter((atS) => Math.abs(atS - beforeMidnightS) > 120), beforeMidnightS].sort((a, b) => a - b);
}
