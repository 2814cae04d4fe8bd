import { spawn, spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { createServer } from 'node:http';
import { join, resolve } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import { installDeb, purgeDeb } from './deb-installation.mjs';
import { missingTool } from './tools.mjs';
import { freePort, withProgram } from './with-program.mjs';

const root = resolve(import.meta.dirname, '../..');
/** Below the version of today, so that a package manager takes today's package for the newer one. */
const olderVersion = '0.0.9';
/** The last commit before requests, policies and people: schema 10 of the database. */
const olderCommit = '626610de94';
const program = ['/usr/bin/sealdesk', '--no-sandbox'];

/**
 * The checks of a person's data across versions, as pairs of name and function: an older build of this program is installed and used, today's is installed over it, then
 * the older one again, then today's again. `pack(folder, output, settings)` packs a built folder as a deb and returns its path.
 */
export function checkVersions(deb, pack) {
  const why = whyNot(deb);
  const state = { folder: join(root, 'release', 'versions'), service: null };
  const steps = [
    ['an older version is built and installed', () => installOlder(state, pack)],
    ['it is used: a connection, documents, waiting and doubtful jobs, a draft', () => fillOlder(state)],
    ['today’s version, installed over it, has all of it', () => readToday(state, deb)],
    ['the older version, installed again, refuses in words and changes nothing', () => refuse(state)],
    ['today’s version, installed once more, still has all of it', () => readToday(state, deb)],
    ['both are removed', () => remove(state)],
  ];
  // One step stands on the other; the last one always cleans up.
  let failed = false;
  return steps.map(([name, work], at) => [
    name,
    async () => {
      if (why !== null) return why;
      if (failed && at < steps.length - 1) return 'a step before failed';
      failed = true;
      await work();
      failed = false;
    },
  ]);
}

function whyNot(deb) {
  if (!deb) return 'no deb package';
  if (process.getuid?.() !== 0) return 'only as root can a package be installed';
  const missing = missingTool('git', 'npm', 'xvfb-run', 'xauth');
  if (missing) return missing;
  if (existsSync('/opt/Sealdesk')) return 'Sealdesk is installed here already and is left alone';
  if (spawnSync('git', ['cat-file', '-e', `${olderCommit}^{commit}`], { cwd: root }).status !== 0)
    return 'this checkout has no history to build an older version from';
  const { dependencies } = JSON.parse(run('git', ['show', `${olderCommit}:package.json`], { cwd: root }));
  const absent = Object.keys(dependencies).filter((name) => !existsSync(join(root, 'node_modules', name)));
  if (absent.length > 0) return `the older version needs ${absent.join(', ')}, which today’s libraries do not have`;
  return null;
}

function run(command, words, options = {}) {
  const done = spawnSync(command, words, { encoding: 'utf8', timeout: 600_000, ...options });
  const said = `${done.stdout}${done.stderr}`;
  if (done.status !== 0) throw new Error(`${command} ${words[0]}: ${said.slice(-1500)}`);
  return said;
}

/** From the history, with the libraries that are installed: the older version needs no other ones. */
async function installOlder(state, pack) {
  const source = join(state.folder, 'source');
  rmSync(state.folder, { recursive: true, force: true });
  mkdirSync(source, { recursive: true });
  run('sh', ['-c', `git archive ${olderCommit} | tar -x -C "${source}"`], { cwd: root });
  // Hard links where they can be had: electron-builder does not follow a link to the folder.
  run('sh', ['-c', 'cp -al "$0" "$1" 2>/dev/null || cp -a "$0" "$1"', join(root, 'node_modules'), `${source}/`]);
  run('npm', ['run', 'build'], { cwd: source });
  state.source = source;
  state.older = pack(source, join(state.folder, 'release'), [`-c.extraMetadata.version=${olderVersion}`]);
  installDeb(state.older);
}

/** Takes documents and never answers: an add that is sent here is in doubt. */
async function openSilentService() {
  const server = createServer((request) => {
    request.resume();
    request.on('end', () => request.socket.destroy());
  });
  await new Promise((done) => server.listen(0, '127.0.0.1', done));
  return { address: `http://127.0.0.1:${server.address().port}`, close: () => server.close() };
}

/** Where the window and the command line both look, below the folder that XDG_CONFIG_HOME names. */
const home = (state) => join(state.folder, 'config', 'Sealdesk');
const inProgram = (state, work) => withProgram([...program, `--user-data-dir=${home(state)}`], work);

async function fillOlder(state) {
  state.service = await openSilentService();
  await inProgram(state, async (page) => {
    await page.evaluate(fill, state.service.address);
    state.data = await page.evaluate(read);
  });
  const { connections, jobs, documents, drafts } = state.data;
  const states = jobs.map(([, , one]) => one).sort();
  if (connections.length !== 2 || documents.length !== 2 || drafts.length !== 1)
    throw new Error(JSON.stringify(state.data));
  if (!isDeepStrictEqual(states, ['done', 'done', 'in-doubt', 'waiting'])) throw new Error(`the jobs are ${states}`);
}

async function readToday(state, deb) {
  installDeb(deb);
  await inProgram(state, async (page) => {
    const data = await page.evaluate(read);
    if (!isDeepStrictEqual(data, state.data))
      throw new Error(`before ${JSON.stringify(state.data)}, now ${JSON.stringify(data)}`);
  });
}

/** Names and contents of all files that hold a person's data. The log tells of the refusal, and whether another program runs is asked by its lock. */
function filesOf(folder) {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((one) => one.isFile() && !/\.(log|lock|lock-journal)$/.test(one.name))
    .map((one) => join(one.parentPath, one.name))
    .sort()
    .map((path) => `${path} ${createHash('sha256').update(readFileSync(path)).digest('hex')}`);
}

/** The window says it in a box of the system's, which is no page, so its words are read from the command line of the same version. */
async function refuse(state) {
  installDeb(state.older, '--allow-downgrades');
  const data = join(home(state), 'data');
  const before = filesOf(data);
  await showsNoPage(state);
  const cli = join(state.source, 'dist/cli/sealdesk.js');
  const env = { ...process.env, LC_ALL: 'en_GB.UTF-8', XDG_CONFIG_HOME: join(state.folder, 'config') };
  const told = spawnSync(process.execPath, [cli, 'jobs', 'list', '--connection', 'Office'], { encoding: 'utf8', env });
  const said = `${told.stdout}${told.stderr}`;
  if (told.status !== 5 || !/newer version|or newer/.test(said))
    throw new Error(`the command line ended with ${told.status}: ${said}`);
  const after = filesOf(data);
  const differing = [...before, ...after].filter((one) => !before.includes(one) || !after.includes(one));
  if (differing.length > 0) throw new Error(`changed: ${differing.join(', ')}`);
}

/** The program runs, waits for an answer to its box, and has no page of its own. While the box is open it may not answer at all. */
async function showsNoPage(state) {
  const port = await freePort();
  const words = ['-a', ...program, `--user-data-dir=${home(state)}`, `--remote-debugging-port=${port}`];
  const child = spawn('xvfb-run', words, { detached: true, stdio: 'ignore' });
  const ended = new Promise((done) => child.once('exit', done));
  try {
    for (const end = Date.now() + 15_000; Date.now() < end; await new Promise((later) => setTimeout(later, 500))) {
      if (child.exitCode !== null) throw new Error(`the program ended with ${child.exitCode} and asked nothing`);
      if (await showsPage(port)) throw new Error('the program opened the newer data');
    }
  } finally {
    // The group: xvfb-run, its server and the program, which does not listen to less while its box is open.
    if (child.exitCode === null) process.kill(-child.pid, 'SIGKILL');
    await ended;
  }
}

async function showsPage(port) {
  try {
    const answer = await fetch(`http://127.0.0.1:${port}/json/list`, { signal: AbortSignal.timeout(2000) });
    return (await answer.json()).some(({ url }) => url.startsWith('app://'));
  } catch {
    return false;
  }
}

function remove(state) {
  state.service?.close();
  if (existsSync('/opt/Sealdesk')) purgeDeb();
  rmSync(state.folder, { recursive: true, force: true, maxRetries: 5, retryDelay: 200 });
  if (existsSync('/opt/Sealdesk')) throw new Error('/opt/Sealdesk is still there');
}

/** In the page of the older version: leaves a connection of one's own, and work in every state that waits for a person or a service. */
async function fill(address) {
  const ask = async (name, input) => {
    const answer = await window.bridge.call(name, input);
    if (!answer.ok) throw new Error(`${name}: ${answer.failure.code} ${answer.failure.note}`);
    return answer.value;
  };
  const until = async (batchId, state) => {
    const end = Date.now() + 60_000;
    for (;;) {
      const { jobs } = await ask('jobs.list', { batchId });
      if (jobs.length > 0 && jobs.every((one) => one.state === state)) return;
      if (Date.now() > end) throw new Error(`waited in vain for ${state}: ${jobs.map((one) => one.state)}`);
      await new Promise((later) => setTimeout(later, 200));
    }
  };
  const samples = (await ask('files.samples', {})).map(({ token }) => token);
  const register = async (connectionId, tokens, state) => {
    const { id } = await ask('files.scan', { tokens, purpose: 'register' });
    const { batchId } = await ask('documents.register', { connectionId, intakeId: id, creditType: 1 });
    await until(batchId, state);
  };
  const { currentId: practiceId } = await ask('connections.state', {});
  await register(practiceId, samples, 'done');
  const settings = {
    name: 'Office',
    baseUrl: address,
    mainPath: '/api.asmx',
    namespaceUri: 'https://office.example/ns/',
  };
  const { id: connectionId } = await ask('connections.findOrAdd', { settings });
  await ask('connections.setCredentials', { id: connectionId, apiKey: 'key', apiSig: 'signature' });
  await register(connectionId, samples.slice(0, 1), 'in-doubt');
  await ask('jobs.pause', { what: 'all' });
  await register(connectionId, samples.slice(1, 2), 'waiting');
  const recipients = [{ name: 'Ana Petrov', email: 'ana@example.com' }];
  const content = { kind: 'easy-sign-template', documentName: 'Lease 2027', templateId: 'TPL-1002', recipients };
  await ask('forms.save', { place: 'draft', connectionId: practiceId, content });
}

/** In the page of any version: what a person must find again. */
async function read() {
  const ask = async (name, input) => {
    const answer = await window.bridge.call(name, input);
    if (!answer.ok) throw new Error(`${name}: ${answer.failure.code} ${answer.failure.note}`);
    return answer.value;
  };
  const sorted = (rows) =>
    rows
      .map((row) => JSON.stringify(row))
      .sort()
      .map((row) => JSON.parse(row));
  const { connections } = await ask('connections.state', {});
  const { jobs } = await ask('jobs.list', {});
  const { rows } = await ask('documents.list', {});
  const drafts = await ask('forms.list', { place: 'draft' });
  return {
    // The address of the practice service is made anew at each start.
    connections: sorted(connections.map(({ id, kind, mainPath }) => [id, kind, kind === 'practice' ? '' : mainPath])),
    jobs: sorted(jobs.map(({ id, title, state, documentId, sha256 }) => [id, title, state, documentId, sha256])),
    documents: sorted(rows.map(({ documentId, name }) => [documentId, name])),
    drafts: sorted(drafts.map(({ id, name, kind, recipientCount }) => [id, name, kind, recipientCount])),
  };
}
