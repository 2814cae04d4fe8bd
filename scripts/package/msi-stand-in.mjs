import { spawnSync } from 'node:child_process';
import { copyFileSync, linkSync, mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { root } from '../setup.mjs';
import { completed } from './msi-project.mjs';

/*
 * An MSI on Linux, to look at: electron-builder's own project with our additions, compiled by Debian's wixl instead of WiX, with the Linux program in the place of the
 * Windows one. It is never released: nothing in it runs on Windows.
 */

const require = createRequire(import.meta.url);

/** Builds it in `output` from a folder of the unpacked Linux program; answers its path and the project that was compiled on Windows. Throws with what wixl said. */
export async function buildStandIn(unpacked, output) {
  mkdirSync(output, { recursive: true });
  const payload = join(output, 'payload');
  linkAll(unpacked, payload);
  const project = completed(await manifestOf(payload, output));
  writeFileSync(join(output, 'project.wxs'), forWixl(project));
  const path = join(output, 'stand-in.msi');
  // wixl finds only what lies beside the project.
  copyFileSync(join(root, 'assets/icons/sealdesk.ico'), join(output, 'sealdesk.ico'));
  const run = spawnSync('wixl', ['-a', 'x64', '-D', 'appDir=payload', '-o', path, 'project.wxs'], {
    cwd: output,
    encoding: 'utf8',
  });
  if (run.status !== 0) throw new Error(`wixl: ${run.error?.message ?? run.stderr.slice(-2000)}`);
  return { path, project, payload };
}

/** The program as Windows names it. Hard links: 250 MB are not copied. */
function linkAll(from, to) {
  mkdirSync(to, { recursive: true });
  for (const entry of readdirSync(from, { withFileTypes: true })) {
    const [source, target] = [
      join(from, entry.name),
      join(to, entry.name === 'sealdesk' ? 'Sealdesk.exe' : entry.name),
    ];
    if (entry.isDirectory()) linkAll(source, target);
    else if (entry.isFile()) linkSync(source, target);
  }
}

async function manifestOf(payload, output) {
  const { Packager, Arch } = require('app-builder-lib');
  const { default: MsiTarget } = require('app-builder-lib/out/targets/MsiTarget.js');
  const { WinPackager } = require('app-builder-lib/out/winPackager.js');
  const { getEffectiveOptions } = require('app-builder-lib/out/options/CommonWindowsInstallerConfiguration.js');
  const packager = new Packager({ projectDir: root, config: join(root, 'electron-builder.yml') });
  await packager.validateConfig();
  const windows = new WinPackager(packager);
  const target = new MsiTarget(windows, output);
  return await target.writeManifest(payload, Arch.x64, getEffectiveOptions(target.options, windows));
}

/** The same project in the words of WiX 3 that wixl knows. What it does not know is left out, and looked at in the project itself. */
export function forWixl(project) {
  const folders = new Map();
  const named = /<Directory Id="([^"]+)" Name="APPLICATIONFOLDER:\\([^"]+)\\"\/>\s*/g;
  for (const [, id, path] of project.matchAll(named)) folders.set(path, id);
  return project
    .replace(named, '')
    .replace('http://wixtoolset.org/schemas/v4/wxs', 'http://schemas.microsoft.com/wix/2006/wi')
    .replace(
      '<Directory Id="APPLICATIONFOLDER" Name="Sealdesk"/>',
      `<Directory Id="APPLICATIONFOLDER" Name="Sealdesk">${nested(folders)}</Directory>`,
    )
    .replaceAll(/<!\[CDATA\[(.*?)\]\]>/g, (_whole, text) => text.replaceAll('>', '&gt;'))
    .replaceAll(/Z:[^"]*\\assets\\icons\\/g, '')
    .replaceAll(/<ShortcutProperty [^>]*\/>|<Condition>[^<]*<\/Condition>/g, '')
    .replaceAll(/ (AllowSameVersionUpgrades|CompressionLevel|Permanent|ReadOnly)="[^"]*"/g, '')
    .replace(
      /<ComponentGroup Id="ProductComponents" Directory="APPLICATIONFOLDER">([\s\S]*)<\/ComponentGroup>\s*<\/Product>/,
      inFolders,
    );
}

/** Components within references to their folders, and the group as a list of them, in a part of its own. */
function inFolders(_whole, components) {
  const ids = [];
  const folders = [...components.matchAll(/<Component(?: ([^>]*))?>([\s\S]*?)<\/Component>/g)].map(
    ([, attributes = '', content], at) => {
      const attribute = (name) => attributes.match(new RegExp(`${name}="([^"]*)"`))?.[1];
      const id = attribute('Id') ?? `c${at}`;
      ids.push(id);
      const file = content.replace(/<File (?![^>]* Id=)/, `<File Id="f${at}" `);
      return `<DirectoryRef Id="${attribute('Directory') ?? 'APPLICATIONFOLDER'}">
  <Component Id="${id}" Guid="${attribute('Guid') ?? '*'}" Win64="yes">${file}</Component>
</DirectoryRef>`;
    },
  );
  const refs = ids.map((id) => `<ComponentRef Id="${id}"/>`).join('');
  return `</Product><Fragment>${folders.join('')}<ComponentGroup Id="ProductComponents">${refs}</ComponentGroup></Fragment>`;
}

/** Folders within folders: WiX takes a path. Names in between that have no ID get one. */
function nested(folders) {
  const tree = new Map();
  for (const [path, id] of folders) {
    let level = tree;
    const parts = path.split('\\');
    for (const [depth, part] of parts.entries()) {
      const known = level.get(part) ?? { id: null, inner: new Map() };
      if (depth === parts.length - 1) known.id = id;
      level.set(part, known);
      level = known.inner;
    }
  }
  const write = (level, above) =>
    [...level]
      .map(
        ([name, { id, inner }]) =>
          `<Directory Id="${id ?? `f${above}.${name}`}" Name="${name}">${write(inner, `${above}.${name}`)}</Directory>`,
      )
      .join('');
  return write(tree, '');
}
