// The commands of package.json by the names of their scripts. A command has one of:
//   file, run   a TypeScript file and the function it exports, which gets the arguments, those of `before` first
//   file        a TypeScript program that reads process.argv
//   bin         a program of an installed package, with arguments that come before the given ones
// Its help is printed before anything is installed; `ownHelp` says that the command itself tells more.

const parts = `  DATABASE_URL    use this Postgres (as an administrator) instead of starting one
  REDIS_URL       use this Redis instead of starting one
  KAFKA_BROKERS   use these Kafka brokers (comma-separated) instead of starting one`;

const environment = `
Environment, or the same names in the file .env:
  PORT_BASE       first port of the stack, 7400 by default
  STACK_NAME      a second stack beside the first, with data of its own in .stack/<name>
${parts}`;

const stack = { needsJava: true, readsDotEnv: true };
// Works on the local stack that runs: the one that STACK_NAME names.
const ofLocalStack = { takesStackName: true };

// The operators' command line, which is an app of its own.
const operator = (...before) => ({ file: 'apps/operator/src/operate.ts', run: 'operate', before });

export const commands = {
  start: {
    ...stack,
    file: 'tools/stack/start.ts',
    run: 'start',
    help: `npm start: the whole of Podium on this machine, with real Postgres, Redis and Kafka, until Ctrl-C.
Data stays in .stack until "npm run stack:reset". Addresses and keys stand in .stack/stack.json.
${environment}
  any setting of a service (.env.example lists them), for example PUBLIC_NAME=acme npm start`,
  },
  stack: {
    ...stack,
    file: 'tools/stack/stack.ts',
    run: 'runInfrastructureOnly',
    help: `npm run stack: Postgres, Redis and Kafka alone, migrated and with topics, until Ctrl-C.
Addresses stand in .stack/infra.json.
${environment}`,
  },
  'stack:reset': {
    file: 'tools/stack/reset.ts',
    run: 'reset',
    worksWithOldPackages: true,
    help: 'npm run stack:reset: removes all data, logs, secrets and downloads of the local stack.',
  },
  test: {
    file: 'tools/test/test.ts',
    run: 'test',
    needsJava: true,
    help: `npm test: types, lint, laws of the graph, generated files, specs and journeys against a stack of their own on free ports.
npm test -- <jest arguments> runs only the specs, for instance: npm test -- apps/ingestion
What operators use and the journeys of operations are tested by npm run check:operations. The file .env is not read.

Environment:
${parts}`,
  },
  'check:operations': {
    file: 'k8s/tooling/check.ts',
    run: 'checkOperations',
    needsJava: true,
    help: `npm run check:operations: renders every overlay of k8s/ and checks all of it without a cluster: schemas of the lowest and
highest supported Kubernetes, custom resources, kube-score, rules of ours, alerts against courses of events, dashboards,
runbooks, and the locks of migrations. Then, against a stack of their own, specs of apps/operator, k8s/tooling and tools/stack, and
the journeys of e2e/operations: services rolled under
load, beside the previous release, restored, rotated, replayed; users erased; a trace, a scrape, the commands of the pages.
npm run check:operations -- --manifests leaves specs and journeys out.
It needs kubectl, Python 3 with venv and Go on the PATH, and promtool there or apt to unpack it; what it installs itself stays in .stack/tools.`,
  },
  'check:cluster': {
    file: 'k8s/tooling/cluster/check-cluster.ts',
    run: 'checkCluster',
    help: `npm run check:cluster: applies every overlay of k8s/ to a real Kubernetes control plane on this machine, with the real
definitions of its custom resources, admission and Pod Security, and looks at what becomes of it on simulated nodes: pods, Jobs,
spread, evictions, a drain of two zones, the roll-out of a next release, what service accounts may do. Network policies are
proved accepted, not enforced.

  npm run check:cluster -- --kubernetes 1.30

  --kubernetes V   the supported version, 1.30 or 1.36; the highest by default

The control plane is built once, by Go, which takes some minutes; it stays in .stack/tools. Nothing else does.
It needs Go, kubectl, Java 17 or newer and Maven on the PATH.

Exit codes: 0 all checks passed, 1 one failed or the run did`,
  },
  faults: {
    file: 'e2e/faults/run.ts',
    run: 'faults',
    needsJava: true,
    help: `npm run faults: a whole stack under load while its parts are killed, paused, cut off, slowed down, out of disk or of
time; then every answer is compared with topics, tables and ledger. First every kind of fault is there alone, then two at once.
At the end a table says of each kind how often it was there, what was lost or counted twice, and the time to recovery: from its
end until a new event of each partition is answered 200, applied, and its award is published, and links are up to date. Data and logs of a run that failed
stay in .stack/faults-<seed>.

  npm run faults -- --minutes 20 --brokers 3 --seed 7

  --minutes N   how long faults go on, 10 by default; each kind is there at least once, which takes about 15
  --brokers N   Kafka brokers, 1 or 3; 3 by default
  --kinds a,b   these kinds of faults alone
  --alone       never two at once
  --list        says what kinds there are
  --seed N      repeats the choices of a run; printed when it is chosen by chance

Exit codes: 0 all invariants held, 1 one did not or the run failed`,
  },
  inputs: {
    file: 'e2e/inputs/run.ts',
    run: 'inputs',
    needsJava: true,
    help: `npm run inputs: a whole stack that is sent what clients get wrong, and every answer is looked at: texts that are nearly
JSON, bytes that are nearly HTTP, requests drawn from the OpenAPI documents, and hundreds of connections that are slow, deaf,
half-closed or broken off beside a client that behaves. No answer may be 5XX, of another shape than its edge's, undocumented, or
show anything of the inside; no process may end or grow. It ends with two tables: kind × requests × answers × findings, and
process × memory. A short form of it is one of the journeys of npm test. Data and logs of a run with findings stay in
.stack/inputs-<seed>.

  npm run inputs -- --requests 20000 --seed 7

  --requests N   how many requests in all, 200000 by default
  --seed N       repeats the requests of a run; printed when it is chosen by chance

Exit codes: 0 nothing was found, 1 something was or the run failed`,
  },
  podium: {
    ...ofLocalStack,
    ...operator(),
    ownHelp: true,
    help: `npm run podium -- <command>: operates Podium: status, integrations, contracts, keys, links, segments, tasks, awards,
refused events, dead letters, lag, replay, restore, erase.`,
  },
  migrate: {
    ...operator('migrate'),
    ownHelp: true,
    help: "npm run migrate: brings every service's schema to this release; DATABASE_URL says where.",
  },
  topics: {
    ...operator('topics'),
    ownHelp: true,
    help: 'npm run topics: creates the topics that are missing and reports settings that differ; KAFKA_BROKERS says where.',
  },
  'competition:generate': {
    ...ofLocalStack,
    file: 'tools/competition/generate.ts',
    ownHelp: true,
    help: 'npm run competition:generate: a believable world of competition data, to a file, to the topic or into the tables.',
  },
  'competition:import': {
    ...ofLocalStack,
    ...operator('competition', 'import'),
    ownHelp: true,
    help: 'npm run competition:import -- <file>: publishes a file of changes (NDJSON, gzip) to competition.changes.v1.',
  },
  'competition:rebuild': {
    ...ofLocalStack,
    ...operator('competition', 'rebuild'),
    ownHelp: true,
    help: 'npm run competition:rebuild: builds the tables of competition-read from the topic beside the live ones, then swaps.',
  },
  'bench:ingest': {
    file: 'bench/ingest/bench.ts',
    needsJava: true,
    ownHelp: true,
    help: 'npm run bench:ingest: how fast an event is accepted and awarded, beside a bare floor, on a stack of its own.',
  },
  'bench:links': {
    file: 'bench/links/bench.ts',
    needsJava: true,
    ownHelp: true,
    help: 'npm run bench:links: how long linking takes while other partners hang, on a stack of its own.',
  },
  'bench:reads': {
    file: 'bench/reads/bench.ts',
    needsJava: true,
    ownHelp: true,
    help: 'npm run bench:reads: how fast competition reads are, beside a bare floor, on a stack of its own.',
  },
  generate: {
    file: 'tools/generate/generate.ts',
    ownHelp: true,
    help: 'npm run generate: writes what is derived from code; with -- --check it fails when a committed file differs.',
  },
  build: {
    bin: [
      '@nestjs/cli',
      'nest',
      'build',
      'gateway',
      'linkage',
      'ingestion',
      'engagement',
      'competition-read',
      'operator',
      'sandbox',
    ],
    help: 'npm run build: builds every app into dist/.',
  },
  typecheck: {
    bin: ['typescript', 'tsc', '--noEmit'],
    ownHelp: true,
    help: 'npm run typecheck: the compiler, without output.',
  },
  lint: { bin: ['eslint', 'eslint', '.'], ownHelp: true, help: 'npm run lint: ESLint over everything.' },
  format: { bin: ['prettier', 'prettier', '--write', '.'], ownHelp: true, help: 'npm run format: Prettier, writing.' },
  'format:check': {
    bin: ['prettier', 'prettier', '--check', '.'],
    ownHelp: true,
    help: 'npm run format:check: Prettier, naming files that differ.',
  },
  graph: {
    bin: [
      'dependency-cruiser',
      'depcruise',
      'apps',
      'libs',
      'k8s',
      'tools',
      'e2e',
      'bench',
      '--config',
      '.dependency-cruiser.cjs',
    ],
    ownHelp: true,
    help: 'npm run graph: the dependency laws of ARCHITECTURE.md.',
  },
};
