import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import type { HelpTexts } from './help-texts.ts';

/** Writes `sealdesk.1.gz` and `sealdesk-cli.1.gz` for the Linux packages; the second is the help of the command line. */
export function writeManPages(root: string, version: string, help: HelpTexts): void {
  const folder = join(root, 'dist', 'linux');
  mkdirSync(folder, { recursive: true });
  const pages = { sealdesk: windowPage(version), 'sealdesk-cli': commandLinePage(version, help) };
  for (const [name, page] of Object.entries(pages))
    writeFileSync(join(folder, `${name}.1.gz`), gzipSync(page, { level: 9 }));
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

export function commandLinePage(version: string, { '': overview = '', ...commands }: HelpTexts): string {
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
${Object.entries(commands)
  .map(([name, text]) => `.SS ${escaped(name)}\n${asWritten(text)}`)
  .join('\n')}
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
