// Preloaded into a profiled service: SIGUSR2 starts a CPU profile, the next SIGUSR2 stops and writes it. --cpu-prof would
// include the start of the service, and NODE_OPTIONS does not allow it.
const fs = require('node:fs');
const path = require('node:path');
const { Session } = require('node:inspector');

const session = new Session();
let profiles = 0;
let profiling = false;

process.on('SIGUSR2', () => {
  profiling = !profiling;
  if (profiling) start();
  else write();
});

function start() {
  session.connect();
  session.post('Profiler.enable');
  session.post('Profiler.setSamplingInterval', { interval: 500 });
  session.post('Profiler.start');
}

function write() {
  session.post('Profiler.stop', (_error, { profile }) => {
    const { PROFILE_DIR, SERVICE_INSTANCE } = process.env;
    profiles += 1;
    fs.mkdirSync(PROFILE_DIR, { recursive: true });
    fs.writeFileSync(path.join(PROFILE_DIR, `${SERVICE_INSTANCE}-${profiles}.cpuprofile`), JSON.stringify(profile));
  });
  session.disconnect();
}
