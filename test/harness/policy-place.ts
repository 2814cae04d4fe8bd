import { execFileSync, spawnSync } from 'node:child_process';
import { chmodSync, mkdirSync, mkdtempSync, realpathSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/**
 * The place of the policy, /etc/sealdesk, for the programs of one test alone: a mount namespace lays a folder of the test over it. The program reads the
 * real path with its real checks, and nothing of this computer changes.
 */
export interface PolicyPlace {
  /** The words before those of a program that sees it. */
  readonly words: readonly string[];
  /** A program for starters that take one path. */
  readonly starter: (program: string) => string;
  /** Writes the policy as an administrator does; a text as it is, null removes it. */
  put(policy: object | string | null): void;
  remove(): void;
}

/** Why it cannot be made here; null if it can. */
export function policyPlaceMissing(): string | null {
  if (process.platform !== 'linux') return 'mount namespaces are of Linux';
  if (process.getuid?.() !== 0) return 'only root may make a mount namespace';
  const place = makePolicyPlace();
  try {
    const [program = '', ...args] = [...place.words, 'test', '-d', '/etc/sealdesk'];
    return spawnSync(program, args).status === 0 ? null : 'no overlay mount is possible here';
  } finally {
    place.remove();
  }
}

export function makePolicyPlace(): PolicyPlace {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), 'sealdesk-etc-')));
  const [policy, upper, work] = ['policy', 'upper', 'work'].map((name) => join(folder, name)) as [
    string,
    string,
    string,
  ];
  for (const path of [policy, upper, work, join(upper, 'sealdesk')]) mkdirSync(path, { mode: 0o755 });
  chmodSync(upper, 0o755);
  const script = join(folder, 'inside.sh');
  writeFileSync(
    script,
    `mount -t overlay overlay -o lowerdir=/etc,upperdir='${upper}',workdir='${work}' /etc &&
mount --bind '${policy}' /etc/sealdesk && exec "$@"\n`,
  );
  const file = join(policy, 'policy.json');
  const words = ['unshare', '-m', 'sh', script];
  return {
    words,
    starter: (program) => {
      const path = join(folder, 'start.sh');
      writeFileSync(path, `#!/bin/sh\nexec ${words.map((word) => `'${word}'`).join(' ')} '${program}' "$@"\n`, {
        mode: 0o755,
      });
      return path;
    },
    put: (next) => {
      if (next === null) return rmSync(file, { force: true });
      writeFileSync(`${file}.new`, typeof next === 'string' ? next : JSON.stringify(next), { mode: 0o644 });
      renameSync(`${file}.new`, file);
    },
    remove: () => {
      // The kernel keeps a folder without any rights in the one it works in.
      execFileSync('rm', ['-rf', folder]);
    },
  };
}
