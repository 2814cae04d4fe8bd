import { describe, expect, it } from 'vitest';
import { noPolicy, readPolicy } from '../../../electron/core/settings/read-policy.ts';
import { policyOf, type RunSystem, registryPolicy } from '../../../electron/host-kit/system-policy.ts';

/** What the script prints: the numbers of the characters. */
const printed = (value: unknown) => [...JSON.stringify(value)].map((sign) => sign.charCodeAt(0)).join(',');
const hive = (set: object, recommended: object = {}, there = true) => ({ set, recommended, there });
const absent = hive({}, {}, false);

/** A system with these keys, whose reg may be switched off. */
function system(keys: readonly string[], script: string | null, isRegOff = false) {
  const ran: string[] = [];
  const run: RunSystem = async (program, args) => {
    ran.push(program);
    if (program !== 'reg.exe') return script === null ? { code: 1, out: '' } : { code: 0, out: script };
    return { code: !isRegOff && keys.includes(args[1] ?? '') ? 0 : 1, out: '' };
  };
  return { ran, policy: registryPolicy(run) };
}

const always = 'HKLM\\Software\\Policies';
const forAll = `${always}\\Sealdesk`;

describe('the policy of the registry', () => {
  it('is nothing without its keys, which is found out without PowerShell', async () => {
    const { policy, ran } = system([always], null);
    expect(await policy.read()).toBeNull();
    expect(ran).not.toContain(expect.stringContaining('powershell'));
  });

  it('is read where reg is switched off, and is nothing if it is not there', async () => {
    const { policy } = system([always, forAll], printed([absent, absent]), true);
    expect(await policy.read()).toBeNull();
    const there = system([always, forAll], printed([absent, hive({ theme: 'dark' })]), true);
    expect(await there.policy.read()).toEqual({ theme: 'dark' });
  });

  it('takes what is set for the computer over what is set for the person', async () => {
    const person = hive({ Theme: 'light', tray: 1 }, { atOnce: 2, language: 'fr' });
    const { policy } = system([always, forAll], printed([person, hive({ theme: 'dark' }, { AtOnce: 4 })]));
    expect(await policy.read()).toEqual({ theme: 'dark', tray: 1, recommended: { atonce: 4, language: 'fr' } });
  });

  it('has numbers for switches and JSON for lists, in any script', async () => {
    const connections = [
      { id: 'a', name: 'Büro العربية', baseUrl: 'https://a.example', mainPath: '/', namespaceUri: 'u/' },
    ];
    const out = printed([
      absent,
      hive({ EXPORTLISTS: 0, tray: 1, atOnce: 1, connections: JSON.stringify(connections, null, 1) }),
    ]);
    const { mandatory, problems } = readPolicy(policyOf(out) ?? {}, noPolicy);
    expect(problems).toEqual([]);
    expect(Object.fromEntries(mandatory)).toEqual({ exportLists: false, tray: true, atOnce: 1, connections });
  });

  it.each(['', 'Access denied', '91,93,', '123,125', '91,120,93'])('is refused if %j is printed', (out) => {
    expect(() => policyOf(out)).toThrow(/policy-broken/);
  });

  it('is refused if neither program answers', async () => {
    await expect(system([], null, true).policy.read()).rejects.toMatchObject({ failure: { detail: 'policy-broken' } });
  });
});
