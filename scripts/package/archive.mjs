import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { FuseState, FuseV1Options, getCurrentFuseWire } from '@electron/fuses';
import { checkNativeFiles } from './native-files.mjs';

const asar = createRequire(import.meta.url)('@electron/asar');

/** All that may be in the archive. What is not bundled is named package by package. */
const allowed = [
  /^\/package\.json$/,
  /^\/dist\/licences\.json$/,
  /^\/dist\/(main|cli)\/(assets\/)?[\w.-]+\.js$/,
  /^\/dist\/cli\/help\.json$/,
  /^\/dist\/workers\/(assets\/)?[\w.-]+\.js$/,
  /^\/dist\/preload\/preload\.cjs$/,
  /^\/dist\/renderer\/(index\.html|assets\/[\w.-]+\.(js|css|woff2|svg|png|webp))$/,
  // The preview of PDFs: its page, its worker, and what pdf.js reads beside them (character maps, fonts, decoders).
  /^\/dist\/viewer\/(index\.html|assets\/[\w.-]+\.(js|mjs|css)|pdf\/(cmaps|standard_fonts|wasm)\/[\w.-]+)$/,
  /^\/node_modules\/(@photostructure\/sqlite|node-gyp-build|@napi-rs\/keyring(-[\w-]+)?)\/[\w./@+-]+$/,
];
const needed = [
  '/package.json',
  '/dist/licences.json',
  '/dist/main/start.js',
  '/dist/main/main.js',
  '/dist/cli/sealdesk.js',
  '/dist/preload/preload.cjs',
  '/dist/renderer/index.html',
  '/dist/viewer/index.html',
  '/dist/workers/pdf-worker.js',
  '/dist/workers/pdf-signatures-worker.js',
  '/dist/workers/search-worker.js',
  '/dist/workers/sql-worker.js',
];
const neverIn = /\.(map|ts|md)$|^\/(test|bench|docs|hosts|scripts|electron|renderer|practice)\/|-musl\//;

/** Fuses as they must be in everything that is handed out. */
const fuses = [
  ['RunAsNode', FuseState.DISABLE],
  ['EnableCookieEncryption', FuseState.ENABLE],
  ['EnableNodeOptionsEnvironmentVariable', FuseState.DISABLE],
  ['EnableNodeCliInspectArguments', FuseState.DISABLE],
  ['EnableEmbeddedAsarIntegrityValidation', FuseState.ENABLE],
  ['OnlyLoadAppFromAsar', FuseState.ENABLE],
  ['GrantFileProtocolExtraPrivileges', FuseState.DISABLE],
];

/** The checks of an unpacked program folder, as pairs of name and function. */
export function checkArchive(folder) {
  const resources = join(folder, 'resources');
  const archive = join(resources, 'app.asar');
  return [
    ['the archive holds what runs and nothing else', () => onlyWhatRuns(archive)],
    [
      'native parts lie beside the archive, one platform only',
      () => checkNativeFiles(`${archive}.unpacked`, 'linux', process.arch),
    ],
    ['every library and font has its licence in it', () => licencesOf(resources, archive)],
    ['samples and WSDLs lie where people and the core find them', () => assets(join(resources, 'assets'))],
    ['the fuses are set', () => fusesSet(join(folder, 'sealdesk'))],
  ];
}

function onlyWhatRuns(archive) {
  const entries = asar.listPackage(archive).map((name) => name.replaceAll('\\', '/'));
  const files = entries.filter((name) => !('files' in asar.statFile(archive, name.slice(1))));
  const extra = files.filter((name) => neverIn.test(name) || !allowed.some((pattern) => pattern.test(name)));
  if (extra.length > 0) throw new Error(`too much: ${extra.slice(0, 10).join(', ')}`);
  const missing = needed.filter((name) => !files.includes(name));
  if (missing.length > 0) throw new Error(`missing: ${missing.join(', ')}`);
  const page = asar.extractFile(archive, 'dist/renderer/index.html').toString('utf8');
  if (!page.includes('__CSP_NONCE__')) throw new Error('the page has no place for its nonce');
}

/** In the window, and as a text beside the program. */
function licencesOf(resources, archive) {
  const named = JSON.parse(asar.extractFile(archive, 'dist/licences.json').toString('utf8'));
  const text = readFileSync(join(resources, 'LICENSES.third-party.txt'), 'utf8');
  const { dependencies } = JSON.parse(asar.extractFile(archive, 'package.json').toString('utf8'));
  const known = (name) => named.some((one) => one.name === name && one.text.length > 200);
  const missing = Object.keys(dependencies).filter((name) => !known(name));
  if (missing.length > 0) throw new Error(`without a licence: ${missing.join(', ')}`);
  const unsaid = named.filter(({ text: licence }) => !text.includes(licence));
  if (unsaid.length > 0) throw new Error(`not in the text: ${unsaid.map(({ name }) => name).join(', ')}`);
}

function assets(folder) {
  const samples = readdirSync(join(folder, 'samples')).filter((name) => name.endsWith('.pdf'));
  if (samples.length < 2) throw new Error('the two samples are not there');
  if (readdirSync(join(folder, 'wsdl')).length === 0) throw new Error('no WSDL');
  if (!existsSync(join(folder, 'icons', 'sealdesk.png'))) throw new Error('no icon');
  if (
    !readFileSync(join(folder, 'samples', samples[0]))
      .subarray(0, 5)
      .equals(Buffer.from('%PDF-'))
  ) {
    throw new Error(`${samples[0]} is no PDF`);
  }
}

async function fusesSet(program) {
  const wire = await getCurrentFuseWire(program);
  const wrong = fuses.filter(([name, state]) => wire[FuseV1Options[name]] !== state).map(([name]) => name);
  if (wrong.length > 0) throw new Error(`wrong: ${wrong.join(', ')}`);
}
