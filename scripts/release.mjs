// `npm run release -- [STEP…] [--without TARGET]… [--feed-key FILE [--staging PERCENT] [--days N]]`: everything between a commit and the draft of its release, for the system it runs on. Without a STEP all of them:
//   version    package.json, package-lock.json, CHANGELOG.md and the tag name one version, and nothing is uncommitted
//   test       npm run test:all: types, lint, all suites at full length, the packages
//   build      npm run build
//   packages   the packages of this system into release/packages, signed where electron-builder finds a certificate in the environment
//   sbom       release/packages/sealdesk-VERSION.cdx.json: what is in the program (CycloneDX, by npm sbom)
//   feed       with --feed-key: release/packages/latest*.yml with their signatures, by which programs update themselves (docs/packaging.md)
//   checksums  release/packages/SHA256SUMS
//   notes      release/notes.md: the part of CHANGELOG.md for this version
// It publishes nothing. --without leaves a target out, where its tools are not at hand. At the end it prints what lies in release/packages. docs/releasing.md says more.
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { table, writeChecksums } from './release/artefacts.mjs';
import { daysOf, shareOf, writeFeed } from './release/feed.mjs';
import { buildPackages } from './release/packages.mjs';
import { writeSbom } from './release/sbom.mjs';
import { checkVersion, notesOf } from './release/version.mjs';
import { build, install, npm, root } from './setup.mjs';

const folder = join(root, 'release', 'packages');
const { version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
const steps = {
  version: () => checkVersion(root, process.env.GITHUB_REF_TYPE === 'tag' ? process.env.GITHUB_REF_NAME : undefined),
  test: async () => {
    if ((await npm('run', 'test:all')) !== 0) throw new Error('the tests failed');
  },
  build: async () => {
    if (!(await install()) || !(await build())) throw new Error('the build failed');
  },
  packages: () => {
    rmSync(folder, { recursive: true, force: true });
    return buildPackages(folder, values.without);
  },
  sbom: () => writeSbom(root, join(folder, `sealdesk-${version}.cdx.json`)),
  feed: () => {
    const lists = feed && writeFeed(folder, { version, ...feed });
    if (lists) console.log(lists.join(', ') || 'no package that updates itself');
    else console.log('no --feed-key: no lists for updates');
  },
  checksums: () => writeChecksums(folder),
  notes: () => writeFileSync(join(root, 'release', 'notes.md'), notesOf(root, version)),
};
const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    without: { type: 'string', multiple: true, default: [] },
    'feed-key': { type: 'string' },
    staging: { type: 'string' },
    days: { type: 'string' },
  },
});
const unknown = positionals.filter((name) => !(name in steps));
if (unknown.length > 0) {
  console.error(`There is no step ${unknown.join(', ')}. There are ${Object.keys(steps).join(', ')}.`);
  process.exit(2);
}
let feed;
try {
  const key = values['feed-key'];
  // Read before anything is built, so that a wrong word is known at once.
  if (key !== undefined)
    feed = { key: readFileSync(key, 'utf8'), staging: shareOf(values.staging), days: daysOf(values.days) };
} catch (error) {
  console.error(`release: feed: ${error.message}`);
  process.exit(2);
}
mkdirSync(folder, { recursive: true });
for (const name of Object.keys(steps).filter((one) => positionals.length === 0 || positionals.includes(one))) {
  console.log(`── ${name}`);
  try {
    await steps[name]();
  } catch (error) {
    console.error(`release: ${name}: ${error instanceof Error ? error.message : error}`);
    process.exit(1);
  }
}
if (existsSync(folder)) console.log(table(folder));
