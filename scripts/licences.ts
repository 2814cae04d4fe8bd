import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { writeHelpTexts } from './help-texts.ts';
import { writeLinuxDocs } from './linux-docs.ts';
import { writeManPages } from './man-pages.ts';
import { standardLicences } from './standard-licences.ts';

/*
 * The last step of `npm run build`: collects the licences of everything that is handed out and not ours, into dist/licences.json (shown in the window) and
 * dist/LICENSES.third-party.txt (lies beside the installed program), and the documents of the Linux packages. A package without a known licence ends the build.
 */

const root = resolve(import.meta.dirname, '..');
const folders = ['main', 'renderer', 'viewer', 'workers', 'cli'];
/** Native packages are not bundled: electron-builder.yml packs them, with one of these patterns for each. */
const packed = [/^@photostructure\/sqlite$/, /^node-gyp-build$/, /^@napi-rs\/keyring/];
const titles = /^(licen[cs]e|copying|notice)/i;

interface Licence {
  readonly name: string;
  readonly version: string;
  /** SPDX expression. */
  readonly licence: string;
  readonly text: string;
}

const licences = [...new Set([...bundled(), ...native()])]
  .map(licenceOf)
  .concat(font())
  .sort((a, b) => a.name.localeCompare(b.name, 'en') || a.version.localeCompare(b.version, 'en'));
writeFileSync(join(root, 'dist', 'licences.json'), JSON.stringify(licences));
const texts = licences
  .map(({ name, version, licence, text }) => `${name} ${version}\nLicence: ${licence}\n\n${text}\n`)
  .join(`\n${'-'.repeat(80)}\n\n`);
writeFileSync(join(root, 'dist', 'LICENSES.third-party.txt'), texts);
writeLinuxDocs(root, texts);
const { version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as { readonly version: string };
writeManPages(root, version, await writeHelpTexts(root, version));

function bundled(): string[] {
  return folders.flatMap(
    (folder) => JSON.parse(readFileSync(join(root, 'dist', folder, '.packages.json'), 'utf8')) as string[],
  );
}

/** Packages with native code, as installed here: those of other systems have the same licence as their neighbours. */
function native(): string[] {
  const modules = join(root, 'node_modules');
  const names = readdirSync(modules).flatMap((name) =>
    name.startsWith('@') ? readdirSync(join(modules, name)).map((inner) => `${name}/${inner}`) : name,
  );
  return names
    .filter((name) => packed.some((pattern) => pattern.test(name)) && !name.includes('musl'))
    .map((name) => `node_modules/${name}`);
}

function licenceOf(folder: string): Licence {
  const about = JSON.parse(readFileSync(join(root, folder, 'package.json'), 'utf8')) as {
    readonly name: string;
    readonly version: string;
    readonly license?: string | { readonly type: string };
    readonly author?: string | { readonly name: string };
  };
  const texts = licenceFiles(join(root, folder)).map((path) => readFileSync(path, 'utf8').trim());
  const given = typeof about.license === 'string' ? about.license : about.license?.type;
  const licence = given ?? (texts.some((text) => /^(The )?MIT License/i.test(text)) ? 'MIT' : null);
  if (licence === null) throw new Error(`${folder} has no licence that is known`);
  const author = typeof about.author === 'string' ? about.author : about.author?.name;
  const text = texts.join('\n\n') || standardText(licence, author?.replace(/ [<(].*/, ''));
  if (text === null) throw new Error(`${folder} has no text of its licence (${licence})`);
  return { name: about.name, version: about.version, licence, text };
}

/** Of the package, and of what lies in its folders under licences of its own (fonts, character maps). */
function licenceFiles(folder: string): string[] {
  return readdirSync(folder, { withFileTypes: true }).flatMap((entry) => {
    const path = join(folder, entry.name);
    if (entry.isDirectory()) return entry.name === 'node_modules' ? [] : licenceFiles(path);
    return titles.test(entry.name) && !/\.(js|ts|mjs|cjs)$/.test(entry.name) ? [path] : [];
  });
}

/** The text of a package that names its licence and comes without its text. */
function standardText(licence: string, author = 'its authors'): string | null {
  const grant = standardLicences[licence];
  return grant ? `Copyright (c) ${author}\n\n${grant}` : null;
}

/** Embedded in reports. */
function font(): Licence {
  const text = readFileSync(join(root, 'assets', 'fonts', 'LICENSE.txt'), 'utf8').trim();
  return { name: 'DejaVu Sans', version: '2.37', licence: 'Bitstream-Vera', text };
}
