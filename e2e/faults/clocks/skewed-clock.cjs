// Loaded before a service (`--require`): its wall clock is off by what stands, in milliseconds, in the file of its instance in
// SKEWED_CLOCK_FOLDER, and jumps when that changes. What counts time by itself stays right, as on a machine whose clock is
// set: timers, performance.now, process.hrtime; performance.timeOrigin keeps what the clock said at the start.
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

  const tell = () => fs.writeFileSync(`${file}.is`, String(skewMs));
  tell();
  setInterval(() => {
    const next = readSkew(file);
    if (next === skewMs) return;
    skewMs = next;
    tell();
  }, 100).unref();
}

function readSkew(file) {
  try {
    return Number(fs.readFileSync(file, 'utf8')) || 0;
  } catch {
    return 0;
  }
}
