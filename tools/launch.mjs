// Runs before anything is installed, so it uses Node alone: checks the tools, installs the packages, starts the command.
import { spawn, spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import path from 'node:path';
import { fileURLToPath } from 'node:url';

const root = path.resolve(path.dirname(fileURLToPath(import.meta.url)), '..');
const stamp = path.join(root, 'node_modules/.podium-lock');

const environment = `
Environment:
  PORT_BASE       first port of the stack, 7400 by default
  STACK_NAME      a second stack beside the first, with data of its own in .stack/<name>
  DATABASE_URL    use this Postgres (as an administrator) instead of starting one
  REDIS_URL       use this Redis instead of starting one
  KAFKA_BROKERS   use these Kafka brokers (comma-separated) instead of starting one`;

const commands = {
  start: {
    file: 'tools/stack/start.ts',
    run: 'start',
    needsJava: true,
    help: `npm start: the whole of Podium on this machine, with real Postgres, Redis and Kafka, until Ctrl-C.
Data stays in .stack until "npm run stack:reset". Addresses and keys stand in .stack/stack.json.
${environment}`,
  },
  stack: {
    file: 'tools/stack/stack.ts',
    run: 'runInfrastructureOnly',
    needsJava: true,
    help: `npm run stack: Postgres, Redis and Kafka alone, migrated and with topics, until Ctrl-C.
Addresses stand in .stack/infra.json.
${environment}`,
  },
  test: {
    file: 'tools/test/test.ts',
    run: 'test',
    needsJava: true,
    help: `npm test: types, lint, laws of the graph, generated files, and all specs against a stack of their own on free ports.
npm test -- <jest arguments> runs only the specs, for instance: npm test -- apps/ingestion
The journeys of operations run in npm run check:operations.
${environment
  .split('\n')
  .filter((line) => !/PORT_BASE|STACK_NAME/.test(line))
  .join('\n')}`,
  },
  faults: {
    file: 'e2e/faults/run.ts',
    run: 'faults',
    needsJava: true,
    help: `npm run faults: a whole stack under load while its parts are killed, paused and restarted; then every answer is
compared with topics, tables and ledger. Data and logs of a run that failed stay in .stack/faults-<seed>.

  npm run faults -- --minutes 10 --brokers 3 --seed 7

  --minutes N   how long faults go on, 10 by default; each happens at least once
  --brokers N   Kafka brokers, 1 or 3; 3 by default
  --seed N      repeats the choices of a run; printed when it is chosen by chance

Exit codes: 0 all invariants held, 1 one did not or the run failed`,
  },
  'check-operations': {
    file: 'tools/operations/check.ts',
    run: 'checkOperations',
    needsJava: true,
    help: `npm run check:operations: renders every overlay of k8s/ and checks all of it without a cluster: schemas of the lowest and
highest supported Kubernetes, custom resources, kube-score, rules of ours, alerts against courses of events, dashboards,
runbooks, and the locks of migrations. Then the journeys of e2e/operations against a stack of their own: services rolled under
load, beside the previous release, restored, rotated, replayed; users erased; a trace, a scrape, the commands of the pages.
npm run check:operations -- --manifests leaves the journeys out.
It needs kubectl, Python 3 with venv and Go on the PATH, and promtool there or apt to unpack it; what it installs itself stays in .stack/tools.`,
  },
  'check-cluster': {
    file: 'tools/operations/cluster/check-cluster.ts',
    run: 'checkCluster',
    needsJava: false,
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
  reset: {
    file: 'tools/stack/reset.ts',
    run: 'reset',
    needsJava: false,
    help: 'npm run stack:reset: removes all data, logs, secrets and downloads of the local stack.',
  },
};

function fail(sentence) {
  console.error(`Error: ${sentence}`);
  process.exit(1);
}

function checkNode() {
  const [major, minor] = process.versions.node.split('.').map(Number);
  if (major > 20 || (major === 20 && minor >= 19)) return;
  fail(`Node ${process.versions.node} is too old: install Node 20.19 or newer (https://nodejs.org).`);
}

function checkJava() {
  if (process.env.KAFKA_BROKERS) return;
  const { stdout, stderr, error } = spawnSync('java', ['-version'], { encoding: 'utf8' });
  const install = 'install a JDK of version 17 or newer (on Debian: apt install openjdk-17-jre-headless)';
  if (error) fail(`Java was not found on the PATH, and Kafka needs it: ${install}, or give KAFKA_BROKERS.`);
  const version = /version "(?:1\.)?(\d+)/.exec(stdout + stderr)?.[1];
  if (Number(version) < 17) fail(`Java ${version} is too old for Kafka: ${install}.`);
  if (spawnSync('mvn', ['--version'], { encoding: 'utf8' }).error)
    fail(
      'Maven (mvn) was not found on the PATH, and Kafka is brought by it: install Maven (on Debian: apt install maven).',
    );
}

function lockHash() {
  return createHash('sha256')
    .update(readFileSync(path.join(root, 'package-lock.json')))
    .update(`${process.platform}-${process.arch}-${process.versions.modules}`)
    .digest('hex');
}

/** Runs `npm ci` when node_modules is missing or belongs to another package-lock.json. */
async function install() {
  const hash = lockHash();
  if (existsSync(stamp) && readFileSync(stamp, 'utf8') === hash) return;
  const startedAt = Date.now();
  const elapsed = () => `${((Date.now() - startedAt) / 1000).toFixed(0)} s`;
  console.log('Installing the npm packages (npm ci), which takes about half a minute …');
  const ticker = setInterval(() => console.log(`  … still installing, ${elapsed()}`), 10_000);
  const code = await new Promise((resolve) => {
    const npm = spawn('npm', ['ci', '--no-audit', '--no-fund', '--loglevel=error'], { cwd: root, stdio: 'inherit' });
    npm.on('error', () => resolve(1));
    npm.on('exit', (exitCode) => resolve(exitCode));
    for (const signal of ['SIGINT', 'SIGTERM']) process.once(signal, () => npm.kill(signal));
  });
  clearInterval(ticker);
  for (const signal of ['SIGINT', 'SIGTERM']) process.removeAllListeners(signal);
  if (code !== 0)
    fail(
      'npm ci failed (see above): check the network and the registry that "npm config get registry" names, then try again.',
    );
  writeFileSync(stamp, hash);
  console.log(`Installed the npm packages (${elapsed()}).`);
}

const [name, ...args] = process.argv.slice(2);
const command = commands[name];
if (!command) {
  const known = Object.values(commands).map(({ help }) => `  ${help.split('\n')[0]}`);
  console.log(`node tools/launch.mjs <${Object.keys(commands).join('|')}> [--help]\n\n${known.join('\n')}`);
  process.exit(name === undefined || name === '--help' ? 0 : 1);
}
if (args.includes('--help') || args.includes('-h')) {
  console.log(command.help);
  process.exit(0);
}
process.chdir(root);
checkNode();
if (command.needsJava) checkJava();
if (name !== 'reset' || !existsSync(path.join(root, 'node_modules'))) await install();

const require = createRequire(import.meta.url);
require('@swc-node/register');
try {
  await require(path.join(root, command.file))[command.run](args);
} catch (error) {
  require(path.join(root, 'tools/stack/failure.ts')).printFailure(error);
  process.exit(1);
}
