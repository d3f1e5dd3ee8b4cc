// Preloaded into a service (`--require`): skews its wall clock by the milliseconds in the file of its instance in
// SKEWED_CLOCK_FOLDER; the clock jumps when the file changes. Monotonic time is unaffected, as on a machine whose clock is
// set: timers, performance.now, process.hrtime. performance.timeOrigin keeps the wall-clock time of the start.
'use strict';
const fs = require('node:fs');
const path = require('node:path');

const { SKEWED_CLOCK_FOLDER, SERVICE_INSTANCE } = process.env;
if (SKEWED_CLOCK_FOLDER && SERVICE_INSTANCE) skewClock(path.join(SKEWED_CLOCK_FOLDER, SERVICE_INSTANCE));

function skewClock(file) {
  const RealDate = Date;
  let skewMs = readSkew(file);
  const now = () => RealDate.now() + skewMs;
  const SkewedDate = new Proxy(RealDate, {
    construct: (target, args, newTarget) => Reflect.construct(target, args.length > 0 ? args : [now()], newTarget),
    apply: () => new RealDate(now()).toString(),
    get: (target, name, receiver) => (name === 'now' ? now : Reflect.get(target, name, receiver)),
  });
  RealDate.prototype.constructor = SkewedDate;
  globalThis.Date = SkewedDate;

  const originMs = performance.timeOrigin + skewMs;
  Object.defineProperty(performance, 'timeOrigin', { get: () => originMs, configurable: true });

  const reportSkew = () => fs.writeFileSync(`${file}.is`, String(skewMs));
  reportSkew();
  setInterval(() => {
    const next = readSkew(file);
    if (next === skewMs) return;
    skewMs = next;
    reportSkew();
  }, 100).unref();
}

function readSkew(file) {
  try {
    return Number(fs.readFileSync(file, 'utf8')) || 0;
  } catch {
    return 0;
  }
}
