import { spawnSync } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { join } from 'node:path';

/* How much of the processors other programs use meanwhile: a time that was measured then says nothing. */

/** From this share of all processors on, the machine is busy. */
export const busyShare = 0.15;

/** An empty Node takes so long on the machine for which the limits in seconds are set. */
const usualStartMs = 40;

/** How many times as slow this machine is, by the median of `starts` of an empty Node (its path is `program`); a faster one counts as 1. */
export function slowness(program, starts = 9) {
  const times = Array.from({ length: starts }, () => {
    const start = performance.now();
    spawnSync(program, ['-e', '0']);
    return performance.now() - start;
  });
  return Math.max(1, times.sort((one, other) => one - other)[starts >> 1] / usualStartMs);
}

/**
 * Begins to watch; the function that it returns says what share of all processors others used since then, from 0 to 1, and whether that is too much. What this
 * process and everything that it started used is not theirs. Knows nothing outside of Linux: a share of 0.
 */
export function watchOthers(proc = '/proc') {
  const before = ticks(proc);
  return () => {
    const after = ticks(proc);
    const all = after.all - before.all;
    const others = after.used - before.used - (after.own - before.own);
    const share = all > 0 ? Math.min(1, Math.max(0, others / all)) : 0;
    return { share, isBusy: share > busyShare };
  };
}

/** The same as a sentence. */
export function loadText({ share, isBusy }) {
  const cores = (share * availableParallelism()).toFixed(2);
  return `others used ${cores} of ${availableParallelism()} processors meanwhile${isBusy ? ': the machine is busy' : ''}`;
}

/** All ticks of the processors, those in use (also by other machines on the same host), and those of this process and its descendants, ended ones included. */
export function ticks(proc = '/proc') {
  if (process.platform !== 'linux') return { all: 0, used: 0, own: 0 };
  const [line] = readFileSync(join(proc, 'stat'), 'latin1').split('\n', 1);
  const [user, nice, system, idle, iowait, irq, softirq, steal] = line.trim().split(/\s+/).slice(1).map(Number);
  const used = user + nice + system + irq + softirq + steal;
  return { all: used + idle + iowait, used, own: ownTicks(proc) };
}

function ownTicks(proc) {
  const processes = readProcesses(proc);
  const isOwn = (pid) => {
    for (let at = pid; at > 1; at = processes.get(at)?.parent ?? 0) if (at === process.pid) return true;
    return false;
  };
  let sum = 0;
  for (const [pid, { own, ended }] of processes) if (isOwn(pid)) sum += own + ended;
  return sum;
}

/** What runs now, by number: ticks of its own, and of its children that have ended. */
export function readProcesses(proc = '/proc') {
  const processes = new Map();
  for (const name of readdirSync(proc)) {
    const one = /^\d+$/.test(name) ? readProcess(join(proc, name, 'stat')) : null;
    if (one) processes.set(Number(name), one);
  }
  return processes;
}

/** Null when it has just ended. */
function readProcess(path) {
  try {
    const text = readFileSync(path, 'latin1');
    // The name is in brackets and may hold anything; what follows are numbers.
    const [, parent, ...rest] = text.slice(text.lastIndexOf(')') + 2).split(' ');
    const [utime, stime, cutime, cstime] = rest.slice(9, 13).map(Number);
    return { parent: Number(parent), started: Number(rest[17]), own: utime + stime, ended: cutime + cstime };
  } catch {
    return null;
  }
}
