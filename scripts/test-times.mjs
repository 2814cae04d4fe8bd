import { busyShare, readProcesses, ticks } from './machine-load.mjs';

/* How long files and suites of tests take, how much of that they wait, and which of that is too much. */

const ticksPerSecond = 100;
const limits = { seconds: 10, waitedShare: 0.5, waitingMattersFrom: 2 };

/**
 * Follows everything that this process starts. A browser's programs are not waited for by those that start them, and a PostgreSQL server gets another parent: each is
 * counted as long as it is seen, and stays with those below which it was seen first.
 */
export function watchPrograms(everyMs = 500) {
  const first = ticks();
  const seen = new Map();
  const timer = process.platform === 'linux' ? setInterval(() => follow(readProcesses(), seen), everyMs) : null;
  timer?.unref();
  const allTicks = () => Math.max(ticks().own - first.own, usedBelow(seen, null));
  return {
    /** Processor seconds of a program and all below it, or of all programs; null where that is not known. */
    secondsOf(pid) {
      const [key] = [...seen.keys()].filter((one) => one.startsWith(`${pid} `)).slice(-1);
      return key ? usedBelow(seen, key) / ticksPerSecond : null;
    },
    allSeconds: () => (timer ? allTicks() / ticksPerSecond : null),
    /** Share of all processors that others used meanwhile, from 0 to 1, and whether that is too much. */
    others() {
      const last = ticks();
      const share =
        last.all > first.all ? Math.max(0, last.used - first.used - allTicks()) / (last.all - first.all) : 0;
      return { share, isBusy: share > busyShare };
    },
    stop: () => clearInterval(timer),
  };
}

/** Adds to `seen` what is new below the process `top`, and what is known has used since. Numbers of processes are given again: the start tells them apart. */
export function follow(processes, seen, top = process.pid) {
  const keyOf = (pid) => (processes.has(pid) ? `${pid} ${processes.get(pid).started}` : '');
  const add = (pid) => {
    const [key, now] = [keyOf(pid), processes.get(pid)];
    if (!now || pid === top) return pid === top;
    const known = seen.get(key);
    if (!known && !add(now.parent)) return false;
    const below = known?.below ?? (now.parent === top ? null : keyOf(now.parent));
    seen.set(key, { below, own: now.own, ended: now.ended });
    return true;
  };
  for (const pid of processes.keys()) add(pid);
}

/** What all below a program used by themselves while they were seen, or what it says of its ended children: that misses what nobody waited for, this what was too short. */
export function usedBelow(seen, top) {
  const isBelow = (key) => {
    for (let at = key; at !== null; at = seen.get(at).below) if (at === top) return true;
    return top === null;
  };
  let sum = 0;
  for (const [key, { own }] of seen) if (isBelow(key)) sum += own;
  const root = seen.get(top);
  return Math.max(sum, root ? root.own + root.ended : 0);
}

/**
 * Files that take too long or mostly wait, each with what is too much. `reasons`: the files that may, by the reason. `tolerance`: how many times the limits;
 * `slowness`: how many times as long everything takes on this machine.
 */
export function findSlow(files, reasons, tolerance = 1, slowness = 1) {
  const listed = new Set(Object.values(reasons).flat());
  return files.flatMap(({ file, seconds, waited }) => {
    if (listed.has(file)) return [];
    const most = limits.seconds * slowness;
    if (seconds > most * tolerance)
      return [{ file, text: `${file} takes ${seconds.toFixed(1)} s, more than ${Number(most.toFixed(1))}` }];
    const mostWaited = 1 - (1 - limits.waitedShare) / tolerance;
    if (waited === null || seconds < limits.waitingMattersFrom || waited <= mostWaited) return [];
    return [{ file, text: `${file} waits ${percent(waited)} of its ${seconds.toFixed(1)} s` }];
  });
}

/**
 * What a file would have taken with a processor for everything that it does: without the time in which others had it. All its programs are taken to have been held up
 * as its own thread was, by `delay` for each second of work.
 */
export function undelayedSeconds(seconds, processorSeconds, delay) {
  if (processorSeconds === null) return seconds / (1 + delay);
  return Math.max(Math.min(seconds, processorSeconds), seconds - processorSeconds * delay);
}

/** Share of its time that a file waits; null where its processor time is not known. Several processors at once wait less than nothing. */
export function waitedShare(seconds, processorSeconds) {
  if (processorSeconds === null || seconds <= 0) return null;
  return Math.max(0, 1 - processorSeconds / seconds);
}

export function timesTable(files, suites) {
  const slowest = [...files].sort((one, other) => other.seconds - one.seconds).slice(0, 10);
  const rows = [
    ...suites.map(({ name, seconds, processorSeconds }) =>
      line(seconds, `${clock(processorSeconds)} of processors`, name),
    ),
    '',
    'slowest files',
    ...slowest.map(({ file, seconds, waited }) =>
      line(seconds, waited === null ? '' : `${percent(waited)} waiting`, file),
    ),
  ];
  return rows.join('\n');
}

const line = (seconds, remark, name) => `${clock(seconds)}  ${remark.padStart(22)}  ${name}`;
const percent = (share) => `${Math.round(share * 100)} %`;

function clock(seconds) {
  return seconds === null ? '       –' : `${seconds.toFixed(1).padStart(6)} s`;
}
