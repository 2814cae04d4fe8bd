import { spawnSync } from 'node:child_process';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';

/** Writes `sealdesk.1.gz` and `sealdesk-cli.1.gz` for the Linux packages; the second is the help of the built command line. */
export function writeManPages(root: string): void {
  const folder = join(root, 'dist', 'linux');
  mkdirSync(folder, { recursive: true });
  const { version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as { readonly version: string };
  const ask = (...words: readonly string[]) => helpOf(join(root, 'dist', 'cli', 'sealdesk.js'), words);
  const pages = { sealdesk: windowPage(version), 'sealdesk-cli': commandLinePage(version, ask) };
  for (const [name, page] of Object.entries(pages))
    writeFileSync(join(folder, `${name}.1.gz`), gzipSync(page, { level: 9 }));
}

function helpOf(program: string, words: readonly string[]): string {
  // The width of its lines is the same wherever it is built.
  const env = { PATH: process.env.PATH, HOME: process.env.HOME, COLUMNS: '80', LC_ALL: 'C' };
  const done = spawnSync(process.execPath, [program, ...words, '--help'], { encoding: 'utf8', env, timeout: 60_000 });
  if (done.status !== 0 || done.stdout === '') throw new Error(`no help of ${words.join(' ')}: ${done.stderr}`);
  return done.stdout;
}

function windowPage(version: string): string {
  return `${titleOf('sealdesk', version)}
.SH NAME
sealdesk \\- register, sign and verify documents
.SH SYNOPSIS
.B sealdesk
.RI [ FILE ...]
.br
.B sealdesk \\-\\-version
.SH DESCRIPTION
Opens the window of Sealdesk: it registers documents with a verification service, requests electronic signatures, follows them, fetches documents and verifies files.
PDF files that are named wait in the window for a person to say what to do with them.
If the window is open already, it takes them.
.SH OPTIONS
.TP
.B \\-\\-version
Prints the version and ends.
.SH FILES
.TP
.I ~/.config/Sealdesk
What a person has sent, settings and log. Credentials are in the keychain of the desktop.
.TP
.I /etc/sealdesk/policy.json
What the administrator of the computer has set.
.SH SEE ALSO
.BR sealdesk\\-cli (1)
`;
}

/** `ask` answers the help of a command, and of the program without one. */
export function commandLinePage(version: string, ask: (...words: readonly string[]) => string): string {
  const overview = ask();
  const names = [...(/^Commands:\n((?: .*\n)+)/m.exec(overview)?.[1] ?? '').matchAll(/^ {2}([a-z][a-z-]*)/gm)]
    .map(([, name = '']) => name)
    .filter((name) => name !== 'help');
  if (names.length === 0) throw new Error('the help names no commands');
  return `${titleOf('sealdesk-cli', version)}
.SH NAME
sealdesk\\-cli \\- register, sign and verify documents from the command line
.SH SYNOPSIS
.B sealdesk\\-cli
.I COMMAND
.RI [ options ]
.SH DESCRIPTION
${asWritten(overview.replace(/^Usage: .*\n+/, ''))}
.SH COMMANDS
${names.map((name) => `.SS ${escaped(name)}\n${asWritten(ask(name))}`).join('\n')}
.SH SEE ALSO
.BR sealdesk (1)
`;
}

const titleOf = (name: string, version: string) =>
  `.TH ${escaped(name.toUpperCase())} 1 "" "Sealdesk ${version}" "Sealdesk"`;

/** Lines as they are, in letters of one width. */
function asWritten(text: string): string {
  return `.nf\n${text.trim().split('\n').map(escaped).join('\n')}\n.fi`;
}

/** A line of text for roff: nothing in it is a command or another kind of dash. */
function escaped(line: string): string {
  return line.replaceAll('\\', '\\e').replaceAll('-', '\\-').replaceAll("'", '\\(aq').replace(/^\./, '\\&.');
}
