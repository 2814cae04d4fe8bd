import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { watchOthers } from '../../scripts/machine-load.mjs';

/** Ticks of a process: its own, and those of its children that have ended. */
interface Used {
  readonly parent: number;
  readonly own: number;
  readonly ended?: number;
}

const me = process.pid;

function write(proc: string, used: number, idle: number, processes: Readonly<Record<number, Used>>): void {
  writeFileSync(join(proc, 'stat'), `cpu  ${used} 0 0 ${idle} 0 0 0 0 0 0\ncpu0 1 1 1 1\n`);
  for (const [pid, { parent, own, ended = 0 }] of Object.entries(processes)) {
    mkdirSync(join(proc, pid), { recursive: true });
    const fields = `S ${parent} 1 1 0 -1 4194304 100 0 0 0 ${own} 0 ${ended} 0 20 0 1 0 1 1 1`;
    writeFileSync(join(proc, pid, 'stat'), `${pid} (a name) S 7 (x) ${fields}\n`);
  }
}

function shareBetween(before: Parameters<typeof write>, after: Parameters<typeof write>) {
  write(...before);
  const others = watchOthers(before[0]);
  write(...after);
  return others();
}

it.runIf(process.platform === 'linux')('only what other programs use makes the machine busy', () => {
  const proc = mkdtempSync(join(tmpdir(), 'sealdesk-proc-'));
  const [started, foreign] = [me + 1, me + 2];
  const none = { [me]: { parent: 1, own: 10 }, [started]: { parent: me, own: 10 }, [foreign]: { parent: 1, own: 10 } };
  // 100 of 200 ticks: 40 by this process, 30 by one that it started, 20 by one that ended, 10 by another program.
  const mine = {
    [me]: { parent: 1, own: 50, ended: 20 },
    [started]: { parent: me, own: 40 },
    [foreign]: { parent: 1, own: 20 },
  };
  const quiet = shareBetween([proc, 1000, 1000, none], [proc, 1100, 1100, mine]);
  expect(quiet).toEqual({ share: 0.05, isBusy: false });
  const theirs = { ...none, [foreign]: { parent: 1, own: 110 } };
  const busy = shareBetween([proc, 1000, 1000, none], [proc, 1100, 1100, theirs]);
  expect(busy).toEqual({ share: 0.5, isBusy: true });
  rmSync(proc, { recursive: true });
});
