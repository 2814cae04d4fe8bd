import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { resolve } from 'node:path';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';

const path = resolve(import.meta.dirname, '../../../.github/workflows/release.yml');
// Comes with electron-builder, without types.
const yaml = z.object({ load: z.custom<(text: string) => unknown>() }).parse(createRequire(import.meta.url)('js-yaml'));

const permissions = z.record(z.string(), z.enum(['read', 'write', 'none']));
const step = z.object({
  name: z.string().optional(),
  uses: z.string().optional(),
  run: z.string().optional(),
  env: z.record(z.string(), z.string()).optional(),
  with: z.record(z.string(), z.unknown()).optional(),
});
const workflow = z.object({
  on: z.record(z.string(), z.unknown()),
  permissions,
  jobs: z.record(
    z.string(),
    z.object({ permissions: permissions.optional(), steps: z.array(step), 'timeout-minutes': z.number() }).loose(),
  ),
});

const scriptsOf = z.object({ scripts: z.record(z.string(), z.string()) });

/** What is wrong with a workflow, in words. */
function faultsOf(text: string): string[] {
  const found = workflow.parse(yaml.load(text));
  const steps = Object.values(found.jobs).flatMap((job) => job.steps);
  const unpinned =
    text.match(/^\s*-?\s*uses:.*$/gm)?.filter((line) => !/@[0-9a-f]{40} # v\d+\.\d+\.\d+$/.test(line)) ?? [];
  const triggers = Object.keys(found.on).filter((name) => name !== 'push');
  const writes = Object.entries(found.permissions).filter(([, right]) => right === 'write');
  const jobsThatWrite = Object.entries(found.jobs).filter(
    ([name, job]) => name !== 'draft' && Object.values(job.permissions ?? {}).includes('write'),
  );
  const secretive = steps.filter(
    (one) => /\bsecrets\b/.test(JSON.stringify(one)) && !/^Packages of (Windows|macOS), signed/.test(one.name ?? ''),
  );
  const outside = { ...found, jobs: Object.values(found.jobs).map(({ steps: _steps, ...rest }) => rest) };
  const scripted = steps.filter((one) => /\$\{\{/.test(one.run ?? ''));
  const credentials = steps.filter(
    (one) => /checkout@/.test(one.uses ?? '') && one.with?.['persist-credentials'] !== false,
  );
  return [
    ...unpinned.map((line) => `not pinned by a hash with its version: ${line.trim()}`),
    ...triggers.map((name) => `started by ${name}`),
    ...writes.map(([name]) => `every job may write ${name}`),
    ...jobsThatWrite.map(([name]) => `the job ${name} may write`),
    ...secretive.map((one) => `secrets in the step ${one.name ?? one.uses}`),
    ...(/\bsecrets\b/.test(JSON.stringify(outside)) ? ['secrets outside of steps'] : []),
    ...scripted.map((one) => `an expression in the script of ${one.name}`),
    ...credentials.map(() => 'a checkout that leaves its credentials'),
  ];
}

describe('the workflow of a release', () => {
  const text = readFileSync(path, 'utf8');
  /** The workflow with a part replaced that must be in it. */
  const changed = (part: string, by: string) => {
    expect(text).toContain(part);
    return text.replace(part, by);
  };

  it('pins actions, reads by default, and gives secrets to signing steps only', () => {
    expect(faultsOf(text)).toEqual([]);
  });

  it('runs everything at full length before it builds anything, and nothing at another time', () => {
    const { on, jobs } = workflow.parse(yaml.load(text));
    expect(Object.keys(on)).toEqual(['push']);
    expect(jobs.check?.steps.at(-1)?.run).toMatch(/ npm run test:all$/);
    expect(jobs.package).toMatchObject({ needs: 'check' });
    const { scripts } = scriptsOf.parse(JSON.parse(readFileSync(resolve(path, '../../../package.json'), 'utf8')));
    expect(scripts['test:all']).toBeDefined();
  });

  it.each([
    ['a tag in place of a hash', '@3d3c42e5aac5ba805825da76410c181273ba90b1 # v7.0.1', '@v7', /not pinned/],
    ['a foreign pull request', "push:\n    tags: ['v*']", 'pull_request_target:', /started by pull_request_target/],
    [
      'writing for every job',
      'permissions:\n  contents: read',
      'permissions:\n  contents: write',
      /every job may write/,
    ],
    [
      'a secret in another step',
      'run: npm ci',
      `run: npm ci\n        env: { X: '\${{ secrets.X }}' }`,
      /secrets in the step Install/,
    ],
    [
      'a secret for all steps',
      'needs: check',
      `needs: check\n    env: { X: '\${{ secrets.X }}' }`,
      /secrets outside of steps/,
    ],
    ['an expression in a script', 'run: npm ci', `run: echo \${{ github.ref }}`, /an expression in the script/],
    ['credentials that stay', 'persist-credentials: false', 'lfs: false', /leaves its credentials/],
  ])('is refused with %s', (_what, part, by, fault) => {
    expect(faultsOf(changed(part, by)).join('\n')).toMatch(fault);
  });
});
