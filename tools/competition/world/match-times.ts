import { MatchStatus, MatchTimes } from './match-plan';
import { Random } from './random';

/**
 * The times of a match, derived from one: the end of a finished one, the start of one in progress, else the planned start.
 * Competitions with a schedule give every match a planned start.
 */
export function timesOf(
  status: MatchStatus,
  anchorS: number,
  { isScheduled, bestOf }: { isScheduled: boolean; bestOf: 1 | 3 },
  random: Random,
): MatchTimes {
  switch (status) {
    case 'FINISHED': {
      const startedS = anchorS - (bestOf === 1 ? random.between(1_700, 3_600) : random.between(4_200, 8_400));
      return { ...before(startedS, isScheduled, random), startedS, finishedS: anchorS };
    }
    case 'ONGOING':
      return { ...before(anchorS, isScheduled, random), startedS: anchorS };
    case 'READY':
    case 'CONFIGURING':
      return before(anchorS, isScheduled, random);
    default:
      return { scheduledS: anchorS };
  }
}

function before(startedS: number, isScheduled: boolean, random: Random): MatchTimes {
  const configuredS = startedS - random.between(60, 240);
  return isScheduled ? { scheduledS: configuredS - 600, configuredS } : { configuredS };
}
