import { competitionReads } from './competition-reads';
import { Dashboard } from './dashboard';
import { engine } from './engine';
import { goldenSignals } from './golden-signals';
import { partners } from './partners';
import { pipeline } from './pipeline';

/** All dashboards. */
export const dashboards: readonly Dashboard[] = [goldenSignals, partners, pipeline, engine, competitionReads];
