// `node scripts/release/feed.mjs FOLDER --key PRIVATE.pem [--staging PERCENT] [--days N]`: writes beside the packages in FOLDER the lists by which the program updates itself
// (latest*.yml, as electron-builder names them), and beside each list its Ed25519 signature in base64 (.sig). docs/packaging.md says how to make a key.
import { createHash, createPrivateKey, sign } from 'node:crypto';
import { readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';

/** The list that a package belongs in; null for what does not update itself. */
function listOf(name) {
  if (!name.startsWith('Sealdesk-')) return null;
  if (name.endsWith('.exe')) return 'latest.yml';
  if (name.endsWith('.zip')) return 'latest-mac.yml';
  if (name.endsWith('.AppImage')) return /arm64/.test(name) ? 'latest-linux-arm64.yml' : 'latest-linux.yml';
  return null;
}

/** A list that nobody signs again holds this long: whoever shows an old one cannot do so for ever. */
const usualDays = 90;

/** Writes lists and signatures for the packages of one version; answers the names of the lists. `key`: PEM. They are issued now and expire after `days`. */
export function writeFeed(folder, { version, key, staging, days = usualDays, now = Date.now() }) {
  const privateKey = createPrivateKey(key);
  if (privateKey.asymmetricKeyType !== 'ed25519') throw new Error('the key must be an Ed25519 key');
  const [issuedAt, expiresAt] = [now, now + days * 24 * 3_600_000].map((time) => new Date(time).toISOString());
  const names = readdirSync(folder).sort();
  const packages = names.filter((name) => listOf(name) !== null && name.includes(`-${version}`));
  const lists = [...new Set(packages.map(listOf))];
  for (const list of lists) {
    const files = packages.filter((name) => listOf(name) === list).map((name) => entryOf(folder, name));
    // JSON is YAML.
    const text = JSON.stringify(
      { version, issuedAt, expiresAt, files, ...(staging === undefined ? {} : { stagingPercentage: staging }) },
      null,
      2,
    );
    writeFileSync(join(folder, list), `${text}\n`);
    writeFileSync(
      join(folder, `${list}.sig`),
      `${sign(null, Buffer.from(`${text}\n`), privateKey).toString('base64')}\n`,
    );
  }
  return lists;
}

/** The share of computers that update first, in per cent, as it is typed; undefined for all. */
export function shareOf(typed) {
  if (typed === undefined) return undefined;
  const share = Number(typed);
  if (typed.trim() === '' || !Number.isInteger(share) || share < 0 || share > 100) {
    throw new Error(`--staging takes a number from 0 to 100, not “${typed}”`);
  }
  return share;
}

/** How many days the lists hold, as it is typed; undefined for the usual number. */
export function daysOf(typed) {
  if (typed === undefined) return undefined;
  const days = Number(typed);
  if (!/^\d+$/.test(typed) || days < 1 || days > 730) {
    throw new Error(`--days takes a number from 1 to 730, not “${typed}”`);
  }
  return days;
}

function entryOf(folder, url) {
  const path = join(folder, url);
  const sha512 = createHash('sha512').update(readFileSync(path)).digest('base64');
  return { url, sha512, size: statSync(path).size };
}

if (process.argv[1] === import.meta.filename) {
  const options = { key: { type: 'string' }, staging: { type: 'string' }, days: { type: 'string' } };
  const { values, positionals } = parseArgs({ allowPositionals: true, options });
  const [folder] = positionals;
  if (!folder || !values.key) {
    console.error('node scripts/release/feed.mjs FOLDER --key PRIVATE.pem [--staging 0…100] [--days 1…730]');
    process.exit(2);
  }
  const { version } = JSON.parse(readFileSync(resolve(import.meta.dirname, '../../package.json'), 'utf8'));
  const [staging, days] = [shareOf(values.staging), daysOf(values.days)];
  const lists = writeFeed(folder, { version, key: readFileSync(values.key, 'utf8'), staging, days });
  if (lists.length === 0) {
    console.error(`no package of version ${version} in ${folder}`);
    process.exit(1);
  }
  for (const list of lists) console.log(join(folder, list));
}
