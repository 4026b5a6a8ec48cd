// A process that is watched as the services are, says that it is up, and blocks its event loop in the way that its
// argument names; with `idle` it does not, with `work` for 0.4 s of a CPU, and with `debugged` for a while, a moment after
// a debugger was opened.

import { pbkdf2Sync } from 'node:crypto';
import { open } from 'node:inspector';

import { monotonicMs } from '../../core/base/clock.ts';
import { loadConfig } from '../../core/base/config.ts';
import { createLogger } from '../../core/base/log.ts';
import { startWatchdog } from '../../core/base/watchdog.ts';

const config = loadConfig(process.env);
const log = createLogger(config, 'blocking');
startWatchdog(config, log);

const ways: Record<string, () => unknown> = {
  idle: () => {},
  endlessLoop: function spinForEver() {
    for (;;) Math.sqrt(2);
  },
  longRegex: function matchForEver() {
    return /^(a+)+$/.test(`${'a'.repeat(45)}b`);
  },
  debugged: () => {
    open(0);
    setTimeout(() => {
      const until = monotonicMs() + config.WATCHDOG_STALL_SECONDS * 2_500;
      while (monotonicMs() < until) Math.sqrt(2);
      log.info('back');
    }, 300);
  },
  work: () => {
    const began = process.threadCpuUsage();
    const spent = ({ user, system } = process.threadCpuUsage(began)) => user + system; // µs; asking costs more than the work
    while (spent() < 400_000) Math.sqrt(2); // less than a stall
    log.info('done');
  },
  native: () => pbkdf2Sync('a', 'b', 2_000_000_000, 64, 'sha512'),
};
setInterval(() => {}, 1_000); // keeps the process up
setTimeout(() => {
  log.info('up');
  ways[process.argv[2] ?? 'idle']?.();
}, 500);
