import { createPublicKey, verify } from 'node:crypto';
import { z } from 'zod';
import type { Installation, UpdateOffReason } from '../../../contract/app.ts';
import type { UpdateOffer } from '../foundation/ports.ts';
import type { Policy } from '../settings/policy.ts';
import { type FeedWay, fetchSmall, UpdateError } from './fetch-file.ts';

/** The system that an update must be for. */
export interface Target {
  readonly platform: NodeJS.Platform;
  readonly arch: string;
}

/** Files of a feed, as electron-builder names them: one list for each system, and on Linux for each architecture. */
export function feedFileOf({ platform, arch }: Target): string {
  if (platform === 'win32') return 'latest.yml';
  if (platform === 'darwin') return 'latest-mac.yml';
  return arch === 'x64' ? 'latest-linux.yml' : `latest-linux-${arch}.yml`;
}

/** A file in the folder of the feed; keeps what the address has besides. */
export function inFeed(feed: string, name: string): URL {
  return new URL(name, feed.endsWith('/') ? feed : `${feed}/`);
}

/** The text of the list, once one of the keys has signed its bytes. Nothing of it is parsed before. Rejects with an AppError or an UpdateError. */
export async function fetchSignedFeed(
  { feed, keys }: { readonly feed: string; readonly keys: string },
  target: Target,
  way: FeedWay,
  signal: AbortSignal,
): Promise<string> {
  const name = feedFileOf(target);
  const bytes = await fetchSmall(inFeed(feed, name), way, signal);
  if (bytes === null) throw new UpdateError('unreachable', 'the feed has no list for this system');
  const signature = await fetchSmall(inFeed(feed, `${name}.sig`), way, signal);
  if (signature === null) throw new UpdateError('unsigned', 'the feed has no signature');
  if (!isSigned(bytes, signature.toString('latin1'), keys)) {
    throw new UpdateError('unsigned', 'the signature of the feed is by none of the keys');
  }
  return bytes.toString('utf8');
}

/** True if one of the keys made the signature (base64) of these bytes. */
export function isSigned(bytes: Buffer, signature: string, keys: string): boolean {
  const text = signature.trim();
  if (!/^[A-Za-z0-9+/]{86}==$/.test(text)) return false;
  return keys
    .trim()
    .split(/\s+/)
    .some((key) => {
      const publicKey = createPublicKey({ key: Buffer.from(key, 'base64'), format: 'der', type: 'spki' });
      return verify(null, bytes, publicKey, Buffer.from(text, 'base64'));
    });
}

/** Larger than any package of the program will be. */
const mostBytes = 1024 ** 3;

const listSchema = z.lazy(() =>
  z.object({
    version: z.string().regex(/^\d{1,6}\.\d{1,6}\.\d{1,6}(-[0-9A-Za-z.-]{1,40})?$/),
    files: z
      .array(
        z.object({
          url: z.string().regex(/^[A-Za-z0-9][A-Za-z0-9._-]{0,199}$/),
          sha512: z.string().regex(/^[A-Za-z0-9+/]{86}==$/),
          size: z.int().min(1).max(mostBytes),
        }),
      )
      .min(1)
      .max(20),
    stagingPercentage: z.int().min(0).max(100).optional(),
    minimumSystemVersion: z.string().max(40).optional(),
    issuedAt: z.iso.datetime(),
    expiresAt: z.iso.datetime(),
  }),
);

/**
 * The offer in a signed list. The file's name must begin with the program's, and hold version and architecture: a signed list of another program or system is refused.
 * Throws an UpdateError (unusable).
 */
export function readFeed(list: unknown, { platform, arch }: Target): UpdateOffer {
  const parsed = listSchema.safeParse(list);
  if (!parsed.success) throw new UpdateError('unusable', 'the feed cannot be understood');
  const { version, files, ...more } = parsed.data;
  const extension = platform === 'win32' ? '.exe' : platform === 'darwin' ? '.zip' : '.AppImage';
  const fits = ({ url }: { readonly url: string }) =>
    url.startsWith('Sealdesk-') &&
    url.endsWith(extension) &&
    url.includes(`-${version}`) &&
    /arm64/.test(url) === (arch === 'arm64');
  const file = files.find(fits);
  if (!file) throw new UpdateError('unusable', 'the feed has no file for this system');
  const { url: fileName, sha512, size } = file;
  const { stagingPercentage, minimumSystemVersion, issuedAt, expiresAt } = more;
  return { version, fileName, sha512, size, stagingPercentage, minimumSystemVersion, issuedAt, expiresAt };
}

/** A clock may be wrong by this much, and a release computer in another zone. */
const aheadMs = 2 * 24 * 3_600_000;

/**
 * Throws an UpdateError (outdated) for a list that is not the server's latest one, as far as that can be known: it has expired, or `newest`, the date of the latest list
 * that was seen, is later. Time is at least `newest`: a clock that was put back makes no list young. One from far ahead is refused as well: taken for the latest, it would
 * hold off all others.
 */
export function assertCurrent(
  { issuedAt, expiresAt }: Pick<UpdateOffer, 'issuedAt' | 'expiresAt'>,
  newest: string | null,
  now = Date.now(),
): void {
  const [issued, expires] = [Date.parse(issuedAt), Date.parse(expiresAt)];
  const seen = newest === null ? 0 : Date.parse(newest);
  if (issued < seen) throw new UpdateError('outdated', 'an earlier list than one that was seen');
  if (Math.max(now, seen) >= expires) throw new UpdateError('outdated', 'the list has expired');
  if (issued > now + aheadMs) throw new UpdateError('outdated', 'the list is from the future');
}

/** What an update needs from the settings. */
export interface FeedSettings {
  readonly feed: string;
  readonly keys: string;
  /** Null: the installer's own signature is not compared. */
  readonly publisher: string | null;
}

type Decision = { readonly off: UpdateOffReason } | { readonly off: null; readonly settings: FeedSettings };

/** Without one of these nobody knows whether, from where or on which way updates may come. */
const needed = ['updates', 'updateFeed', 'updateKey', 'updatePublisher', 'proxy', 'extraCa'] as const;

/** What else keeps a program of this kind up to date; null if it can do so by itself. */
function otherUpdater(installation: Installation): UpdateOffReason | null {
  switch (installation) {
    case 'source':
    case 'folder':
    case 'package':
    case 'windows-msi':
      return installation;
    case 'windows-installer':
    case 'disk-image':
    case 'appimage':
      return null;
  }
}

/** Whether the program updates itself, and if not, why. The installation comes first: no setting changes it. */
export function decideUpdates(
  installation: Installation,
  policy: Pick<Policy, 'organisation' | 'isUnreadable'>,
  mayReplace: boolean,
): Decision {
  const other = otherUpdater(installation);
  if (other) return { off: other };
  if (needed.some(policy.isUnreadable)) return { off: 'policy-broken' };
  if (!policy.organisation('updates')) return { off: 'policy' };
  const feed = policy.organisation('updateFeed');
  const keys = policy.organisation('updateKey');
  if (feed === null) return { off: 'no-feed' };
  if (keys === null) return { off: 'no-key' };
  if (!mayReplace) return { off: 'not-replaceable' };
  return { off: null, settings: { feed, keys, publisher: policy.organisation('updatePublisher') } };
}
