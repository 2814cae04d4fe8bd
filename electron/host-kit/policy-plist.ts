import { execFile } from 'node:child_process';
import { userInfo } from 'node:os';
import { promisify } from 'node:util';
import type { PolicySource } from '../core/foundation/ports.ts';
import { broken, readPolicyFile, watchPolicyFile } from './policy-file.ts';

const run = promisify(execFile);
const folder = '/Library/Managed Preferences';
const patienceMs = 10_000;
const mostOutput = 8_000_000;

/** Converts a property list to JSON. Rejects if it is none. */
type ToJson = (path: string) => Promise<string>;

/** What a configuration profile sets for a program: for the computer, and for this person. The computer's comes first. */
export function managedPreferences(
  bundleId: string,
  { user = userInfo().username, where = folder, owners = [] as readonly number[], toJson = plutil as ToJson } = {},
): PolicySource {
  const paths = [`${where}/${user}/${bundleId}.plist`, `${where}/${bundleId}.plist`];
  const parse = async (_: Buffer, path: string): Promise<unknown> => {
    try {
      return JSON.parse(await toJson(path));
    } catch {
      throw broken(`${path} is not a property list that JSON can express`);
    }
  };
  return {
    name: paths[1] ?? where,
    read: async () => merged(await Promise.all(paths.map((path) => readPolicyFile(path, parse, owners)))),
    watch: (onChange) => {
      const stops = paths.map((path) => watchPolicyFile(path, onChange));
      return () => {
        for (const stop of stops) stop();
      };
    },
  };
}

/** The system's own program: property lists are binary. */
const plutil: ToJson = async (path) => {
  const options = { timeout: patienceMs, maxBuffer: mostOutput, env: {} };
  return (await run('/usr/bin/plutil', ['-convert', 'json', '-o', '-', '--', path], options)).stdout;
};

type Written = Readonly<Record<string, unknown>>;

/** One policy of several, the last of which comes first; recommendations by themselves. Null if there is none. */
export function merged(policies: readonly (Written | null)[]): Written | null {
  const found = policies.filter((one) => one !== null);
  if (found.length === 0) return null;
  const keys = (policy: Written) =>
    Object.fromEntries(Object.entries(policy).map(([key, value]) => [key.toLowerCase(), value]));
  const all = found.map(keys);
  const recommended = all.map((one) => one.recommended).filter((one) => typeof one === 'object' && one !== null);
  return {
    ...Object.assign({}, ...all),
    ...(recommended.length > 0
      ? { recommended: Object.assign({}, ...recommended.map((one) => keys(one as Written))) }
      : {}),
  };
}
