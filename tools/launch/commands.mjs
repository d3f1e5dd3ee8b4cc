// The commands of package.json by the names of their scripts. A command has one of:
//   file, run   a TypeScript file and the function it exports, which gets the arguments, those of `before` first
//   file        a TypeScript program that reads process.argv
//   bin         a program of an installed package, with arguments that come before the given ones
// The help is printed before packages are installed; with `ownHelp` the command itself prints a longer one.
// `takes` lists all arguments of a command that reads them by name alone: with another one nothing is done.

const parts = `  DATABASE_URL    use this Postgres (as an administrator) instead of starting one
  REDIS_URL       use this Redis instead of starting one
  KAFKA_BROKERS   use these Kafka brokers (comma-separated) instead of starting one`;

const environment = `
Environment, or the same names in the file .env:
  PORT_BASE       first port of the stack, 7400 by default
  STACK_NAME      runs a second stack, with its own data in .stack/<name>
${parts}`;

const stack = { needsJava: true, readsDotEnv: true };
// Works on the running local stack that STACK_NAME selects.
const ofLocalStack = { takesStackName: true };

// The operators' command line, which is an app of its own.
const operator = (...before) => ({ file: 'apps/operator/src/main.ts', before });

export const commands = {
  start: {
    ...stack,
    takes: [],
    file: 'tools/stack/start.ts',
    run: 'start',
    help: `npm start: runs the whole of Podium on this machine, with real Postgres, Redis and Kafka, until Ctrl-C.
Data stays in .stack until "npm run stack:reset". Addresses and keys are in .stack/stack.json.
${environment}
  any setting of a service (.env.example lists them), for example PUBLIC_NAME=acme npm start`,
  },
  stack: {
    ...stack,
    takes: [],
    file: 'tools/stack/stack.ts',
    run: 'runInfrastructureOnly',
    help: `npm run stack: Postgres, Redis and Kafka alone, migrated and with topics, until Ctrl-C.
Addresses are in .stack/infra.json.
${environment}`,
  },
  'stack:reset': {
    file: 'tools/stack/reset.ts',
    run: 'reset',
    worksWithOldPackages: true,
    takes: [],
    help: 'npm run stack:reset: removes all data, logs, secrets and downloads of the local stack.',
  },
  test: {
    file: 'tools/test/test.ts',
    run: 'test',
    needsJava: true,
    help: `npm test: checks types, lint, dependency rules, duplication, generated files, then runs specs and journeys on a stack of its own.
npm test -- <jest arguments> runs only the specs, for instance: npm test -- apps/ingestion
npm run check:long runs the specs that take longest, check:operations those of what operators use. The file .env is not read.

Environment:
${parts}`,
  },
  'check:long': {
    file: 'tools/test/test.ts',
    run: 'checkLong',
    needsJava: true,
    help: `npm run check:long: runs the specs and journeys that npm test leaves out because each takes about half a minute or longer,
on a stack of its own: faults in every part, processes that are killed, brokers that stop, limits over two gateways, the ledger
explained and recomputed, large histories, and the pages in a browser. Their files are called *.long.spec.ts or *.long.db.spec.ts;
npm test -- <path> runs one of them. The file .env is not read.

Environment:
${parts}`,
  },
  'check:operations': {
    file: 'k8s/tooling/check-operations.ts',
    run: 'checkOperations',
    needsJava: true,
    takes: ['--manifests'],
    help: `npm run check:operations: renders every overlay of k8s/ and checks all of it without a cluster: schemas of the lowest and
highest supported Kubernetes, custom resources, kube-score, Podium's own rules, alerts against scenarios, dashboards, runbooks, and
the locks of migrations. Then it runs, on a stack of its own, the specs of apps/operator, k8s/tooling and tools/stack and the
journeys of e2e/operations: rolling updates under load and next to the previous release, a race for a budget, restore, rotation,
replay, erasure, traces, scrapes, and the commands of the pages. Specs, journeys and services run with the Node of the images,
which is downloaded when it is not the one that runs the command.
npm run check:operations -- --manifests leaves specs and journeys out.
It needs kubectl, Python 3 with venv and Go on the PATH, and promtool (or apt, to download it). What it installs stays in .stack/tools.`,
  },
  'check:cluster': {
    file: 'k8s/tooling/cluster/check-cluster.ts',
    run: 'checkCluster',
    help: `npm run check:cluster: applies every overlay of k8s/ to a real Kubernetes control plane on this machine, with the real
definitions of its custom resources, admission and Pod Security, and checks the result on simulated nodes: pods, Jobs, spread,
evictions, a drain of two zones, the rollout of a next release, what service accounts may do. It shows that network policies
are accepted, not that they are enforced.

  npm run check:cluster -- --kubernetes 1.30

  --kubernetes V   the supported version, 1.30 or 1.36; the highest by default

The first run builds the control plane with Go, which takes about ten minutes, and keeps it in .stack/tools.
It needs Go, kubectl, Java 17 or newer and Maven on the PATH.

Exit codes: 0 all checks passed, 1 one failed or the run did`,
  },
  'check:sdk': {
    file: 'e2e/sdk/run.ts',
    run: 'checkSdk',
    needsJava: true,
    help: `npm run check:sdk: tries what partners run against a whole stack of its own: events through both SDKs while the partner's
process, the gateway and Redis are killed; the pace at the default rate; podium-partner reconcile with many ids, while events
arrive, after Redis has lost everything, with dead letters, and while engagement does not run; podium-partner backfill of a file
with bad lines, killed twice. It compares what was confirmed with the topic and the awards. It needs python3 3.10 or newer. Data and logs of a failed run stay in .stack/sdk-<seed>.

  npm run check:sdk -- --only fire,pacing

  --short       a few minutes, as in continuous integration; without it 50,000 events through each SDK and a million ids
  --only a,b    only the checks that begin so: fire, pacing, reconcile, backfill
  --seed N      repeats the choices of a run, whose kept data it removes; printed when it is random

Exit codes: 0 all checks passed, 1 one failed or the run did`,
  },
  faults: {
    file: 'e2e/faults/run.ts',
    run: 'faults',
    needsJava: true,
    help: `npm run faults: runs a whole stack under load while its parts are killed, paused, cut off, slowed down or out of disk space,
then compares every response with topics, tables and the ledger, and what tasks of every kind have issued, held and taken back
with a naive recomputation. It injects each kind of fault alone first, then in pairs.
The final table shows for each kind how often it was injected, what was lost or counted twice, and the time to recovery: from
its end until a new event of each partition is answered 200 and applied, its award is published, and links are up to date.
Data and logs of a failed run stay in .stack/faults-<seed>.

  npm run faults -- --minutes 30 --brokers 3 --seed 7

  --minutes N   how long to inject faults, 10 by default; each kind once takes about 25
  --brokers N   Kafka brokers, 1 or 3; 3 by default
  --kinds a,b   only these kinds of faults
  --alone       no pairs
  --list        lists the kinds
  --seed N      repeats the choices of a run, whose kept data it removes; printed when it is random

Exit codes: 0 all invariants held, 1 an invariant was violated or the run failed`,
  },
  inputs: {
    file: 'e2e/inputs/run.ts',
    run: 'inputs',
    needsJava: true,
    help: `npm run inputs: sends invalid and hostile input to a whole stack and checks every response: malformed JSON, malformed HTTP,
random requests derived from the OpenAPI documents, and hundreds of connections that are slow, never read, half-closed or reset
next to a well-behaved client. No response may be 5XX, undocumented, of another shape than its edge's, or reveal internals; no
process may end or grow. It prints two tables: kind × requests × responses × findings, and process × memory. npm test runs a short
form of it. Data and logs of a run with findings stay in .stack/inputs-<seed>.

  npm run inputs -- --requests 20000 --seed 7

  --requests N   total number of requests, 200000 by default
  --seed N       repeats the requests of a run, whose kept data it removes; printed when it is random

Exit codes: 0 no findings, 1 findings, or the run failed`,
  },
  podium: {
    ...ofLocalStack,
    ...operator(),
    ownHelp: true,
    help: `npm run podium -- <command>: the operators' command line: status, integrations, contracts, keys, links, segments, tasks, awards,
refused events, dead letters, lag, replay, restore, erase.`,
  },
  migrate: {
    ...operator('migrate'),
    ownHelp: true,
    help: "npm run migrate: brings every service's schema to this release; its address is DATABASE_URL.",
  },
  topics: {
    ...operator('topics'),
    ownHelp: true,
    help: 'npm run topics: creates the topics that are missing and reports settings that differ; the brokers are KAFKA_BROKERS.',
  },
  'competition:generate': {
    ...ofLocalStack,
    file: 'tools/competition/generate.ts',
    ownHelp: true,
    help: 'npm run competition:generate: generates realistic competition data to a file, to the topic or into the tables.',
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
    help: 'npm run competition:rebuild: rebuilds the tables of competition-read from the topic next to the live ones, then swaps them.',
  },
  'bench:ingest': {
    file: 'bench/ingest/bench.ts',
    needsJava: true,
    ownHelp: true,
    help: 'npm run bench:ingest: measures how fast events are accepted and awarded, against a bare baseline, on its own stack.',
  },
  'bench:engine': {
    file: 'bench/engine/bench.ts',
    ownHelp: true,
    help: 'npm run bench:engine: measures how fast engagement applies events, against bare inserts, on its own Postgres.',
  },
  'bench:engine-load': {
    file: 'bench/engine/load.ts',
    ownHelp: true,
    help: 'npm run bench:engine-load: measures due times and a backfill in engagement while events arrive, on its own Postgres.',
  },
  'bench:linking': {
    file: 'bench/linking/bench.ts',
    needsJava: true,
    ownHelp: true,
    help: 'npm run bench:linking: measures links and refreshes, against a client that only makes the calls, and while other partners fail, on its own stack.',
  },
  'bench:reads': {
    file: 'bench/reads/bench.ts',
    needsJava: true,
    ownHelp: true,
    help: 'npm run bench:reads: measures how fast competition reads are, against a bare baseline, on its own stack.',
  },
  generate: {
    file: 'tools/generate/generate.ts',
    ownHelp: true,
    takes: ['--check'],
    help: 'npm run generate: writes the files that are derived from code; with -- --check it fails when a committed file differs.',
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
    help: 'npm run typecheck: runs the TypeScript compiler without writing files.',
  },
  lint: {
    bin: ['eslint', 'eslint', '.'],
    ownHelp: true,
    help: 'npm run lint: runs ESLint on code, pages and manifests.',
  },
  format: {
    bin: ['prettier', 'prettier', '--write', '.'],
    ownHelp: true,
    help: 'npm run format: formats all files with Prettier.',
  },
  'format:check': {
    bin: ['prettier', 'prettier', '--check', '.'],
    ownHelp: true,
    help: 'npm run format:check: lists files that Prettier would change.',
  },
  graph: {
    file: 'tools/lint/graph.ts',
    run: 'graph',
    help: `npm run graph: checks the dependency rules of ARCHITECTURE.md, between files and between folders of an app.
Options of dependency-cruiser are passed on, for instance: npm run graph -- --output-type text`,
  },
  duplication: {
    bin: ['jscpd', 'jscpd', '--noTips'],
    ownHelp: true,
    help: 'npm run duplication: finds duplicates of six lines or more in product code.',
  },
};
