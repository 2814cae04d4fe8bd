import { opendir } from 'node:fs/promises';
import { extname, join } from 'node:path';
import { setImmediate } from 'node:timers/promises';
import { z } from 'zod';
import type { SettingName } from '../../../contract/settings.ts';
import { readWhole } from '../files/open-file.ts';
import type { KnownSigners, TrustedCertificate, TrustedList } from './pdf-signatures/trust/known-signers.ts';
import { readPathCertificate } from './pdf-signatures/trust/path-certificate.ts';

/** Where the organisation keeps the certificates that it trusts; null where it keeps none. */
export interface KnownSignerPlaces {
  readonly folder: string | null;
  /** As `sealdesk-cli trust-list` writes it. */
  readonly list: string | null;
}

export interface ReadSigners extends KnownSigners {
  /** What is missing, cannot be read or is old, by the setting that names it; English, for whoever looks after it. */
  readonly problems: readonly { readonly key: SettingName; readonly note: string }[];
}

/** More than any organisation trusts, and all lists of the EU. */
const most = { files: 2_000, fileBytes: 256 * 1024, certificates: 4_000, listBytes: 32 * 1024 * 1024 };
const extensions = ['.cer', '.crt', '.der', '.pem'];

const moment = z.string().regex(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$/);

const reducedList = z.strictObject({
  name: z.string().min(1).max(200),
  date: moment,
  /** When there should be a newer one. */
  nextUpdate: moment.nullable(),
  certificates: z
    .array(
      z.strictObject({
        purpose: z.enum(['signatures', 'timestamps']),
        granted: z.array(z.strictObject({ from: moment, until: moment.nullable() })).max(100),
        /** DER. */
        certificate: z.base64().max(20_000),
      }),
    )
    .max(10_000),
});
export type ReducedList = z.output<typeof reducedList>;

/** The file of reduced trust lists; each list is checked by itself, so that nothing waits for all. */
const trustListFile = z.strictObject({
  format: z.literal('sealdesk-trust-lists'),
  version: z.literal(1),
  lists: z.array(z.unknown()).max(100),
});

/** What the command line writes; null if it is more than is read. */
export function trustListText(lists: readonly ReducedList[]): string | null {
  const file = { format: 'sealdesk-trust-lists', version: 1, lists };
  const text = `${JSON.stringify(file)}\n`;
  const isReadable = trustListFile.safeParse(file).success && lists.every((one) => reducedList.safeParse(one).success);
  return isReadable && Buffer.byteLength(text) <= most.listBytes ? text : null;
}

/** Never rejects: what is missing leaves signers unknown, and is no reason not to answer. */
export async function readKnownSigners({ folder, list }: KnownSignerPlaces): Promise<ReadSigners> {
  const problems: { key: SettingName; note: string }[] = [];
  const lists: TrustedList[] = [];
  if (folder !== null) {
    const { certificates, note } = await readFolder(folder);
    if (certificates.length > 0) lists.push({ by: 'organisation', name: '', date: null, certificates });
    if (note !== null) problems.push({ key: 'trustedCertificates', note });
  }
  if (list !== null) {
    const read = await readListFile(list);
    lists.push(...read.lists);
    if (read.note !== null) problems.push({ key: 'trustList', note: read.note });
  }
  const isMissing = lists.length === 0 && problems.length > 0;
  return { lists, problems, problem: isMissing ? 'The list of known signers is missing or cannot be read.' : null };
}

async function readFolder(folder: string): Promise<{ certificates: TrustedCertificate[]; note: string | null }> {
  const certificates: TrustedCertificate[] = [];
  let [seen, unusable] = [0, 0];
  try {
    for await (const entry of await opendir(folder)) {
      if (!extensions.includes(extname(entry.name).toLowerCase())) continue;
      if (++seen > most.files) return { certificates, note: `only the first ${most.files} files are used` };
      const found = await readCertificates(join(folder, entry.name));
      if (found.length === 0) unusable++;
      certificates.push(...found.map((bytes) => ({ bytes, purpose: 'any', granted: null }) as const));
      if (certificates.length > most.certificates)
        return { certificates, note: `only the first ${most.certificates} certificates are used` };
    }
  } catch {
    return { certificates, note: 'the folder cannot be read' };
  }
  if (unusable > 0) return { certificates, note: `${unusable} files hold no certificate that can be read` };
  return { certificates, note: seen === 0 ? `the folder has no files *${extensions.join(', *')}` : null };
}

/** DER, or PEM with one or several; none if one of them cannot be read. */
async function readCertificates(path: string): Promise<Uint8Array[]> {
  try {
    const bytes = await readWhole(path, most.fileBytes);
    if (!bytes) return [];
    const pem = [
      ...bytes.toString('latin1').matchAll(/-----BEGIN CERTIFICATE-----([A-Za-z0-9+/=\s]+)-----END CERTIFICATE-----/g),
    ];
    const found = pem.length > 0 ? pem.map(([, text = '']) => Buffer.from(text, 'base64')) : [bytes];
    for (const one of found) readPathCertificate(one);
    return found;
  } catch {
    return [];
  }
}

async function readListFile(path: string): Promise<{ lists: TrustedList[]; note: string | null }> {
  const bytes = await readWhole(path, most.listBytes).catch(() => null);
  if (!bytes) return { lists: [], note: 'the file cannot be read, or is too large' };
  const lists: TrustedList[] = [];
  const now = new Date().toISOString();
  let note: string | null = null;
  try {
    for (const written of trustListFile.parse(JSON.parse(bytes.toString('utf8'))).lists) {
      const { name, date, nextUpdate, certificates } = reducedList.parse(written);
      const decoded = certificates.map(({ certificate, ...entry }) => ({
        ...entry,
        bytes: Buffer.from(certificate, 'base64'),
      }));
      lists.push({ by: 'list', name, date, certificates: decoded });
      if (nextUpdate !== null && nextUpdate < now)
        note ??= `the list ${JSON.stringify(name)} of ${date} is old: there should be a newer one`;
      await setImmediate();
    }
  } catch {
    return { lists: [], note: 'the file is none that "sealdesk-cli trust-list" wrote' };
  }
  return { lists, note };
}
