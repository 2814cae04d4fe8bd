import { readdirSync } from 'node:fs';
import { basename, join } from 'node:path';
import { run } from './debian.mjs';
import { missingTool } from './tools.mjs';

/** Loaded by name, so that no tool which reads the links of a file finds it. */
const byName = ['libX11-xcb.so.1'];

/**
 * As pairs of name and function: each library that the program in this folder links is in a package that the installed deb depends on, itself or through others. A bare
 * Debian says more, and takes minutes.
 */
export function checkDeclared(folder) {
  return [['the deb declares the packages of all libraries that the program links', () => check(folder)]];
}

function check(folder) {
  const missing = missingTool('objdump', 'dpkg-query');
  if (missing) return missing;
  const listed = run('dpkg-query', ['--listfiles', ...neededBy('sealdesk')]);
  const declared = new Set(listed.split('\n').map((path) => basename(path)));
  const lacks = librariesOf(folder).filter((name) => !declared.has(name));
  if (lacks.length > 0) throw new Error(`not declared: ${lacks.join(', ')}`);
}

/** Names of the libraries that files of the folder link, without those that lie in it. */
function librariesOf(folder) {
  const files = readdirSync(folder, { recursive: true }).map((name) => join(folder, name));
  const linking = files.filter((path) =>
    /(\/(sealdesk|chrome_crashpad_handler|chrome-sandbox)|\.so|\.node)$/.test(path),
  );
  const said = linking.map((path) => run('objdump', ['-p', path])).join('\n');
  const linked = [...said.matchAll(/^\s+NEEDED\s+(\S+)$/gm)].map(([, name]) => name);
  const own = new Set(files.map((path) => basename(path)));
  const found = [...new Set([...linked, ...byName])].filter((name) => !own.has(name));
  if (found.length < 20) throw new Error(`only ${found.length} libraries were found: ${found.join(', ')}`);
  return found;
}

/** The installed packages that one depends on, itself or through others, and the one itself. */
function neededBy(start) {
  const listed = run('dpkg-query', [
    '--show',
    `--showformat=\${Package}\\t\${Pre-Depends},\${Depends}\\t\${Provides}\\n`,
  ]);
  const namesOf = (field = '') => field.split(/[,|]/).map((one) => one.trim().replace(/[\s:(].*/, ''));
  const packages = listed.split('\n').map((line) => line.split('\t'));
  const needs = new Map(packages.map(([name, depends]) => [name, namesOf(depends)]));
  const provided = packages.map(([name, , provides]) => [name, namesOf(provides)]);
  const providers = (one) => provided.filter(([, names]) => names.includes(one));
  const installed = new Set(packages.map(([name]) => name));
  const found = new Set();
  for (const open = [start]; open.length > 0; ) {
    const name = open.pop();
    if (name === '' || found.has(name)) continue;
    found.add(name);
    open.push(...(needs.get(name) ?? []), ...providers(name).map(([provider]) => provider));
  }
  return [...found].filter((name) => installed.has(name));
}
