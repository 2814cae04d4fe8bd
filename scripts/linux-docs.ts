import { copyFileSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';

/** Writes what Debian’s rules want below /usr/share/doc: `copyright` with all licences, the changes of each version as `changelog.gz`, and what lintian need not say. */
export function writeLinuxDocs(root: string, thirdParty: string): void {
  const folder = join(root, 'dist', 'linux');
  mkdirSync(folder, { recursive: true });
  const own = readFileSync(join(root, 'LICENSE'), 'utf8').trim();
  writeFileSync(join(folder, 'copyright'), `Sealdesk\n\n${own}\n\n${'-'.repeat(80)}\n\n${thirdParty}`);
  const changes = debianChangelog(readFileSync(join(root, 'CHANGELOG.md'), 'utf8'));
  writeFileSync(join(folder, 'changelog.gz'), gzipSync(changes, { level: 9 }));
  copyFileSync(join(root, 'assets/installer/lintian-overrides'), join(folder, 'lintian-overrides'));
}

/** CHANGELOG.md in the form of deb-changelog(5). Throws if a version has no date. */
export function debianChangelog(markdown: string): string {
  const [, ...versions] = markdown.split(/^## /m);
  return versions
    .map((part) => {
      const [, version, date] = /^(\S+) \((\d{4}-\d{2}-\d{2})\)$/m.exec(part) ?? [];
      if (!version || !date) throw new Error(`CHANGELOG.md: “${part.split('\n')[0]}” is not “version (date)”`);
      const changes = part
        .split('\n')
        .filter((line) => line.startsWith('- '))
        .map((line) => `  * ${line.slice(2)}`);
      const day = new Date(`${date}T12:00:00Z`).toUTCString().replace('GMT', '+0000');
      return `sealdesk (${version}) stable; urgency=medium\n\n${changes.join('\n')}\n\n -- Sealdesk contributors <sealdesk@example.org>  ${day}\n`;
    })
    .join('\n');
}
