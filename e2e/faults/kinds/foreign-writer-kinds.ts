import { ForeignWriting } from '../foreign-writers';
import { FaultKind } from './fault-kind';

/** Records of other teams' producers in their topics: `bonus.award-results.v1` and `competition.changes.v1`. */
export function foreignWriterKinds(): FaultKind[] {
  return [
    {
      name: 'foreign-codecs',
      target: 'foreign writers',
      breaks: 'answers to awards and competition data arrive compressed by gzip, snappy, lz4 and zstd',
      begin: async ({ foreignWriters }, random) => {
        const codecs = random.shuffled(['gzip', 'snappy', 'lz4', 'zstd'] as const);
        const writings: ForeignWriting[] = [];
        for (const codec of codecs) writings.push(await foreignWriters.write(codec));
        return {
          hit: `${writings.flatMap(({ answers }) => answers).length} answers, ${writings.flatMap(({ documents }) => documents).length} documents`,
          lastsMs: 0,
          end: () => Promise.resolve(),
          isRecovered: async () => {
            for (const writing of writings) if (!(await foreignWriters.areApplied(writing))) return false;
            return true;
          },
        };
      },
    },
    {
      name: 'foreign-oversized',
      target: 'foreign writers',
      breaks: 'invalid records of the maximum size, and of four times that once decompressed, go to the dead letters',
      begin: async ({ foreignWriters }) => {
        const isRecovered = await foreignWriters.writeOversized();
        return { hit: 'both topics', lastsMs: 0, end: () => Promise.resolve(), isRecovered };
      },
    },
  ];
}
