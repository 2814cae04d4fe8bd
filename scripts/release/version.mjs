import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';

/** Throws unless package.json, package-lock.json, the newest heading of CHANGELOG.md and the tag (if one is named) agree, and everything is committed. */
export function checkVersion(root, tag) {
  const read = (name) => readFileSync(join(root, name), 'utf8');
  const { version } = JSON.parse(read('package.json'));
  const lock = JSON.parse(read('package-lock.json'));
  const wrong = [];
  if (!/^\d+\.\d+\.\d+$/.test(version)) wrong.push(`package.json: ${version} is not like 1.2.3`);
  if (lock.version !== version || lock.packages?.['']?.version !== version) {
    wrong.push(`package-lock.json names ${lock.version}, package.json ${version}: run npm install`);
  }
  const newest = newestVersion(read('CHANGELOG.md'));
  if (newest.version !== version) {
    wrong.push(`CHANGELOG.md: the newest heading is “${newest.heading}”, not “${version} (date)”`);
  } else if (!/^- /m.test(newest.text)) wrong.push(`CHANGELOG.md: nothing is said about ${version}`);
  if (tag !== undefined && tag !== `v${version}`) wrong.push(`the tag is ${tag}, not v${version}`);
  const status = spawnSync('git', ['status', '--porcelain'], { cwd: root, encoding: 'utf8' });
  if (status.status === 0 && status.stdout !== '') wrong.push(`not committed:\n${status.stdout.trimEnd()}`);
  if (wrong.length > 0) throw new Error(wrong.join('\n'));
}

/** What CHANGELOG.md says about its newest version; throws if that is another one. */
export function notesOf(root, version) {
  const newest = newestVersion(readFileSync(join(root, 'CHANGELOG.md'), 'utf8'));
  if (newest.version !== version) throw new Error(`CHANGELOG.md: the newest heading is “${newest.heading}”`);
  return `${newest.text.trim()}\n`;
}

function newestVersion(changelog) {
  const [, first = ''] = changelog.split(/^## /m);
  const [heading = '', ...lines] = first.split('\n');
  return { heading, version: /^(\S+) \(\d{4}-\d{2}-\d{2}\)$/.exec(heading)?.[1], text: lines.join('\n') };
}
