import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { sourceDate } from '../package/source-date.mjs';

/** Writes what is in the program: all dependencies by package-lock.json, for all systems, and Electron. The same commit gives the same file. */
export function writeSbom(root, path) {
  const made = spawnSync('npm', ['sbom', '--sbom-format=cyclonedx', '--sbom-type=application', '--package-lock-only'], {
    cwd: root,
    encoding: 'utf8',
    maxBuffer: 64 * 1024 * 1024,
    timeout: 120_000,
    // Windows starts npm.cmd through a shell only; the arguments are our own words.
    shell: process.platform === 'win32',
  });
  if (made.status !== 0) throw new Error(`npm sbom: ${`${made.stderr}${made.error ?? ''}`.slice(-1500)}`);
  const lock = JSON.parse(readFileSync(join(root, 'package-lock.json'), 'utf8'));
  const sbom = contentOf(JSON.parse(made.stdout), lock, new Date(sourceDate(root) * 1000));
  writeFileSync(path, `${JSON.stringify(sbom, null, 2)}\n`);
}

/** npm's answer without what only development needs, with the name, the time and the number of the source. `lock` is package-lock.json. */
export function contentOf(sbom, lock, date) {
  const shipped = shippedRefs(sbom, lock);
  const components = sbom.components.filter((one) => shipped.has(one['bom-ref']));
  const known = new Set([sbom.metadata.component['bom-ref'], ...components.map((one) => one['bom-ref'])]);
  const dependencies = sbom.dependencies
    .filter(({ ref }) => known.has(ref))
    .map(({ ref, dependsOn = [] }) => ({ ref, dependsOn: dependsOn.filter((one) => known.has(one)) }));
  const metadata = {
    ...sbom.metadata,
    timestamp: date.toISOString(),
    component: { ...sbom.metadata.component, name: 'sealdesk' },
  };
  const number = createHash('sha256')
    .update(JSON.stringify([metadata, components, dependencies]))
    .digest('hex');
  const uuid = [
    number.slice(0, 8),
    number.slice(8, 12),
    `8${number.slice(13, 16)}`,
    `8${number.slice(17, 20)}`,
    number.slice(20, 32),
  ];
  return { ...sbom, serialNumber: `urn:uuid:${uuid.join('-')}`, metadata, components, dependencies };
}

/** Electron, and everything that a dependency needs; npm counts Electron to development, and what a library would use if it were there to the library. */
function shippedRefs(sbom, lock) {
  const entries = Object.entries(lock.packages).filter(([path]) => path !== '');
  const refOf = ([path, { name, version }]) => `${name ?? path.replace(/.*node_modules\//, '')}@${version}`;
  const onlyIfThere = new Set(
    entries.filter(([, { dev, devOptional, peer }]) => dev || devOptional || peer).map(refOf),
  );
  const needs = new Map(sbom.dependencies.map(({ ref, dependsOn = [] }) => [ref, dependsOn]));
  const direct = Object.keys(lock.packages[''].dependencies).map((name) => `node_modules/${name}`);
  const waiting = direct.map((path) => refOf([path, lock.packages[path]]));
  const found = new Set();
  while (waiting.length > 0) {
    const ref = waiting.pop();
    if (found.has(ref) || onlyIfThere.has(ref)) continue;
    found.add(ref);
    waiting.push(...(needs.get(ref) ?? []));
  }
  const electron = 'node_modules/electron';
  return found.add(refOf([electron, lock.packages[electron]]));
}
