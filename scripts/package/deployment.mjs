import {
  copyFileSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { asAdministrator, run, unpackDebian, whyNoDebian } from './debian.mjs';
import { missingTool } from './tools.mjs';

const page = join(import.meta.dirname, '../../docs/deployment.md');
/** The folder inside that Debian where an administrator has the files that the page names. */
const work = '/srv/rollout';
const data = '/home/ana/.config/Sealdesk';

/**
 * Runs the blocks of docs/deployment.md that are marked for Debian, in their order, as root in a Debian that holds nothing else, as pairs of name and function. The
 * repository's address is a folder there: no web server is needed.
 */
export function checkDeployment(deb) {
  const why = whyNoDebian(deb) ?? missingTool('openssl', 'dpkg-deb');
  if (why !== null) return [['the deployment guide does what it says', () => why]];
  const root = mkdtempSync(join(tmpdir(), 'sealdesk-deployment-'));
  const blocks = debianBlocks(readFileSync(page, 'utf8'));
  return [
    ['a Debian for the deployment guide', () => prepare(root, deb)],
    ...blocks.map(({ heading, text }, number) => [
      `deployment guide, ${heading}, block ${number + 1}`,
      () => runBlock(root, { deb, heading, text, isLast: blocks[number + 1]?.heading !== heading }),
    ]),
    ['the Debian of the deployment guide goes away again', () => rmSync(root, { recursive: true, force: true })],
  ];
}

/** As pairs of name and function, where nobody has the minutes to run them: each block is shell that can be read, and each heading of which something must be true has one. */
export function readDeployment() {
  return [['the deployment guide’s blocks are shell, below the headings that are known', readBlocks]];
}

function readBlocks() {
  const blocks = debianBlocks(readFileSync(page, 'utf8'));
  for (const { text } of blocks) run('sh', ['-n', '-c', text]);
  const lacks = Object.keys(truths).filter((name) => !blocks.some(({ heading }) => heading === name));
  if (lacks.length > 0) throw new Error(`no block below ${lacks.join(', ')}`);
}

/** The marked blocks with the heading above each. */
function debianBlocks(markdown) {
  const parts = markdown.matchAll(/^#+ (?<heading>.+)$|^```sh debian\n(?<text>[\s\S]*?)^```$/gm);
  const blocks = [];
  let above = '';
  for (const { groups } of parts) {
    if (groups.heading) above = groups.heading;
    else blocks.push({ heading: above, text: groups.text });
  }
  return blocks;
}

/** What an administrator has at hand, and a person with data. */
function prepare(root, deb) {
  unpackDebian(root);
  const folder = join(root, work);
  mkdirSync(folder, { recursive: true });
  copyFileSync(deb, join(folder, 'sealdesk_0.0.1_amd64.deb'));
  const [policy] = /(?<=^```json\n)[\s\S]*?(?=^```$)/m.exec(readFileSync(page, 'utf8'));
  writeFileSync(join(folder, 'policy.json'), policy);
  const key = join(folder, 'office-ca.key');
  const authority = ['req', '-x509', '-newkey', 'rsa:2048', '-nodes', '-subj', '/CN=Office CA', '-days', '30'];
  run('openssl', [...authority, '-keyout', key, '-out', join(folder, 'office-ca.crt')]);
  inside(root, 'apt-get update && useradd --create-home ana');
  inside(root, `runuser -u ana -- mkdir -p ${data} && runuser -u ana -- sh -c 'echo register > ${data}/sealdesk.db'`);
}

/** Runs a block, and after the last one below a heading what must be true then. */
function runBlock(root, { deb, heading, text, isLast }) {
  const folder = join(root, work);
  // The program is closed for a backup; a person then works on, and the copy brings back what was.
  if (text.includes('-xzf')) writeFileSync(join(root, data, 'sealdesk.db'), 'later\n');
  if (text.startsWith('cp sealdesk_')) newerPackage(deb, join(folder, 'sealdesk_99.0.0_amd64.deb'));
  if (text.includes('key.asc /usr')) copyFileSync(join(root, 'srv/sealdesk/key.asc'), join(folder, 'key.asc'));
  inside(root, text.replace('https://packages.office.example', 'file:/srv'));
  if (isLast) truths[heading]?.(root);
}

/** What must be true after the blocks below a heading. */
const truths = {
  'Install without questions': (root) => {
    const { version } = JSON.parse(readFileSync(join(import.meta.dirname, '../../package.json'), 'utf8'));
    same(installedVersion(root), version);
  },
  Policies: (root) => same((statSync(join(root, 'etc/sealdesk/policy.json')).mode & 0o777).toString(8), '644'),
  'Proxies and certificates': (root) => {
    const [one] = readFileSync(join(root, work, 'office-ca.crt'), 'utf8').match(/\n.{64}\n/);
    const all = readFileSync(join(root, 'etc/ssl/certs/ca-certificates.crt'), 'utf8');
    if (!all.includes(one)) throw new Error('the system does not trust the authority');
  },
  Backup: (root) => same(readFileSync(join(root, data, 'sealdesk.db'), 'utf8'), 'register\n'),
  'A repository for apt': (root) => {
    same(installedVersion(root), '99.0.0');
    refusesChangedIndex(root);
  },
  Remove: (root) => {
    for (const path of ['opt/Sealdesk', 'usr/bin/sealdesk', 'etc/sealdesk', 'etc/apt/sources.list.d/sealdesk.sources'])
      if (existsSync(join(root, path))) throw new Error(`${path} is still there`);
    same(readFileSync(join(root, data, 'sealdesk.db'), 'utf8'), 'register\n');
  },
};

function refusesChangedIndex(root) {
  const index = join(root, 'srv/sealdesk/Packages');
  writeFileSync(index, readFileSync(index, 'utf8').replace('99.0.0', '99.0.1'));
  // With lists of its own: apt does not fetch an index again while its signed list is the same.
  const source = '-o Dir::Etc::sourcelist=/etc/apt/sources.list.d/sealdesk.sources -o Dir::Etc::sourceparts=-';
  const said = inside(
    root,
    `mkdir -p /tmp/lists/partial; apt-get update ${source} -o Dir::State::lists=/tmp/lists 2>&1 || true`,
  );
  if (!said.includes('Hash Sum mismatch'))
    throw new Error(`apt on an index that was changed after it was signed: ${said}`);
}

function newerPackage(deb, path) {
  const folder = mkdtempSync(join(tmpdir(), 'sealdesk-newer-'));
  try {
    run('dpkg-deb', ['-R', deb, folder]);
    const control = join(folder, 'DEBIAN', 'control');
    writeFileSync(control, readFileSync(control, 'utf8').replace(/^Version: .*$/m, 'Version: 99.0.0'));
    run('dpkg-deb', ['-Znone', '-b', folder, path]);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

const installedVersion = (root) => inside(root, `dpkg-query --show --showformat='\${Version}' sealdesk`).trim();

function same(found, wanted) {
  if (found !== wanted) throw new Error(`found ${JSON.stringify(found)}, not ${JSON.stringify(wanted)}`);
}

const inside = (root, text) => asAdministrator(root, text, work);
