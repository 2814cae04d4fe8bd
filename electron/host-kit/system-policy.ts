import { userInfo } from 'node:os';
import { win32 } from 'node:path';
import { promisify } from 'node:util';
import type { PolicySource } from '../core/foundation/ports.ts';
import { broken, policyFile, readPolicyFile, watchPolicyFile } from './policy-file.ts';

/** As in electron-builder.yml: configuration profiles name programs by it. */
const bundleId = 'org.sealdesk.desktop';

/** Where this system's administrators put the policy, the same for every host. Neither an option nor a variable of a person names another place. */
export function systemPolicy(platform: NodeJS.Platform = process.platform): PolicySource {
  if (platform === 'win32') return registryPolicy();
  if (platform === 'darwin') return managedPreferences(bundleId);
  return policyFile('/etc/sealdesk/policy.json');
}

/** The registry says nothing when it changes; group policies are refreshed every 90 minutes. */
const readEveryMs = 300_000;
const patienceMs = 20_000;
const mostOutput = 32_000_000;

const key = 'Software\\Policies\\Sealdesk';
/** Later ones come first: what is set for the computer, over what is set for this person. */
const hives = ['HKCU', 'HKLM'] as const;

/** Runs one of the system's programs, below its folder; answers its exit code and what it printed. Never rejects. */
export type RunSystem = (
  program: string,
  args: readonly string[],
) => Promise<{ readonly code: number; readonly out: string }>;

/**
 * The policy that group policies write into the registry. `reg` only says quickly whether there is one: its output is in the code page of a console, and
 * it is switched off where editing the registry is. A policy that is there, or may be, is read by PowerShell.
 */
export function registryPolicy(run: RunSystem = runSystem): PolicySource {
  const exists = async (path: string) => (await run('reg.exe', ['query', path])).code === 0;
  const isAbsent = async () => {
    const found = await Promise.all(hives.map((hive) => exists(`${hive}\\${key}`)));
    // This one always exists: if it is not found either, the answer says nothing.
    return !found.includes(true) && (await exists('HKLM\\Software\\Policies'));
  };
  return {
    name: `HKLM\\${key}`,
    read: async () => {
      if (await isAbsent()) return null;
      const args = ['-NoLogo', '-NoProfile', '-NonInteractive', '-Command', readScript];
      const { code, out } = await run('WindowsPowerShell\\v1.0\\powershell.exe', args);
      if (code !== 0) throw broken(`the registry keys ${key} cannot be read (${code})`);
      return policyOf(out);
    },
    watch: (onChange) => {
      const timer = setInterval(onChange, readEveryMs).unref();
      return () => clearInterval(timer);
    },
  };
}

/**
 * Prints both keys as JSON, each character as its number: the code page of the output does not matter then. Works in the constrained language mode of
 * locked-down machines: commands and plain types only.
 */
const readScript = `
$ErrorActionPreference = 'Stop'
function Values($path) {
  $values = @{}
  if (Test-Path -LiteralPath $path) {
    foreach ($one in (Get-ItemProperty -LiteralPath $path).PSObject.Properties) {
      if ($one.Name -notlike 'PS*Path' -and $one.Name -notin 'PSChildName','PSDrive','PSProvider') {
        $values[$one.Name] = if ($one.Value -is [array]) { $one.Value -join "\`n" } else { $one.Value }
      }
    }
  }
  $values
}
$all = @(foreach ($hive in '${hives.join("','")}') {
  $path = "Registry::$hive\\${key}"
  @{ set = (Values $path); recommended = (Values "$path\\Recommended"); there = (Test-Path -LiteralPath $path) }
})
$json = ConvertTo-Json -Compress -Depth 4 -InputObject $all
([int[]][char[]]$json) -join ','
`;

interface Hive {
  readonly set: Readonly<Record<string, unknown>>;
  readonly recommended: Readonly<Record<string, unknown>>;
  readonly there: boolean;
}

/** The policy in what the script printed; null if neither key exists. Throws policy-broken. */
export function policyOf(printed: string): Readonly<Record<string, unknown>> | null {
  let read: readonly Hive[];
  try {
    if (!/^\s*\d+(,\d+)*\s*$/.test(printed)) throw new RangeError('no numbers');
    const json = printed
      .trim()
      .split(',')
      .map((number) => String.fromCharCode(Number(number)));
    read = JSON.parse(json.join('')) as readonly Hive[];
    if (!Array.isArray(read)) throw new RangeError('no list');
  } catch {
    throw broken(`the registry keys ${key} were not printed in a form that can be read`);
  }
  return merged(
    read.map(({ set, recommended, there }) =>
      there ? { ...set, ...(Object.keys(recommended ?? {}).length > 0 ? { recommended } : {}) } : null,
    ),
  );
}

const runSystem: RunSystem = async (program, args) => {
  const { execFile } = await import('node:child_process');
  const windows = windowsFolder();
  const options = {
    timeout: patienceMs,
    maxBuffer: mostOutput,
    windowsHide: true,
    // Nothing of the person's: a module of theirs could stand in for one of the system.
    env: { SystemRoot: windows },
  };
  return new Promise((resolve) => {
    execFile(win32.join(windows, 'System32', program), [...args], options, (error, out) => {
      const code = error ? (typeof error.code === 'number' ? error.code : -1) : 0;
      resolve({ code, out });
    });
  });
};

/** The folder of Windows, by a library that every process has loaded from it: a variable of the environment could be set by anybody. */
function windowsFolder(): string {
  // Newer versions of Node would look up names in the network.
  Object.assign(process.report, { excludeNetwork: true });
  const { sharedObjects = [] } = process.report.getReport() as { readonly sharedObjects?: readonly string[] };
  const library = sharedObjects.find((path) => /\\system32\\ntdll\.dll$/i.test(path));
  return library ? win32.dirname(win32.dirname(library)) : 'C:\\Windows';
}

const folder = '/Library/Managed Preferences';

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
  const { execFile } = await import('node:child_process');
  const options = { timeout: 10_000, maxBuffer: 8_000_000, env: {} };
  return (await promisify(execFile)('/usr/bin/plutil', ['-convert', 'json', '-o', '-', '--', path], options)).stdout;
};

type Written = Readonly<Record<string, unknown>>;

/** One policy of several, the last of which comes first; recommendations by themselves. Null if there is none. */
function merged(policies: readonly (Written | null)[]): Written | null {
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
