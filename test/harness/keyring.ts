import { spawnSync } from 'node:child_process';
import { chmodSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

/** The reason why no real keychain is available, or null. */
export function whyNoKeyring(): string | null {
  if (process.platform !== 'linux') return 'the test’s own keychain needs Linux';
  for (const program of ['dbus-run-session', 'gnome-keyring-daemon']) {
    if (spawnSync('which', [program]).status !== 0) return `no ${program}`;
  }
  return null;
}

/**
 * Writes a program that runs Electron in a D-Bus session of its own with a real, unlocked GNOME Keyring, whose files are below
 * `folder`, so that the next start finds them again. Answers the program's path and the environment it needs.
 */
export function keyringStarter(
  folder: string,
  electron: string,
): { readonly starter: string; readonly env: Record<string, string> } {
  const share = join(folder, 'share');
  const runtime = join(folder, 'run');
  for (const made of [share, runtime]) mkdirSync(made, { recursive: true, mode: 0o700 });
  const starter = join(folder, 'electron-with-keyring');
  const inSession = [
    'printf test | gnome-keyring-daemon --unlock --foreground --components=secrets >/dev/null 2>&1 &',
    'keyring=$!',
    'sleep 1',
    '"$0" "$@"',
    'code=$?',
    // Until it has ended it removes files, under a test that reads them.
    'kill $keyring',
    'wait $keyring',
    'exit $code',
  ].join('\n');
  writeFileSync(starter, `#!/bin/sh\nexec dbus-run-session -- sh -c '${inSession}' '${electron}' "$@"\n`);
  chmodSync(starter, 0o755);
  return { starter, env: { XDG_DATA_HOME: share, XDG_RUNTIME_DIR: runtime } };
}

/** Files below a folder that hold one of the texts, as UTF-8, UTF-16 or Base64 at any offset. */
export function filesWith(folder: string, texts: readonly string[]): string[] {
  const forms = texts.flatMap(formsOf);
  return readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .map((name) => join(folder, name))
    .filter((path) => statSync(path, { throwIfNoEntry: false })?.isFile())
    .filter((path) => {
      const bytes = readFileSync(path);
      return forms.some((form) => bytes.includes(form));
    });
}

function formsOf(text: string): Buffer[] {
  const plain = Buffer.from(text, 'utf8');
  // In Base64 a text looks different at each of three offsets; the characters that depend on neighbours are cut off.
  const base64 = [0, 1, 2].map((offset) => {
    const shifted = Buffer.concat([Buffer.alloc(offset), plain])
      .toString('base64')
      .replace(/=+$/, '');
    return Buffer.from(shifted.slice(offset === 0 ? 0 : offset + 1, -1), 'latin1');
  });
  return [plain, Buffer.from(text, 'utf16le'), ...base64];
}
