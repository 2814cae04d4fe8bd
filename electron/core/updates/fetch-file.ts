import { createHash } from 'node:crypto';
import { open, rm } from 'node:fs/promises';
import type { UpdateProblem } from '../../../contract/app.ts';
import { type OnChunk, readBody } from '../../soap/reply/read-body.ts';
import { ask, withinTotal } from '../../soap/wire/ask.ts';
import { createRoute } from '../../soap/wire/network-route.ts';
import { appError, codeOf, failureOf } from '../foundation/app-error.ts';

/** The way to the feed: as the calls of a connection go, but without a login at the proxy and without a client certificate. */
export interface FeedWay {
  /** A PAC answer. */
  readonly proxy: string;
  readonly extraCa: string;
}

const connectMs = 15_000;
const idleMs = 30_000;
/** For the feed's own files, which are small. */
const smallMs = 20_000;
const mostSmallBytes = 64 * 1024;
/** A large file may take a minute, and longer as long as this many bytes come in a second. */
const usualAtLeastMs = 60_000;
const slowestBytesPerMs = 16;

/** A small file as a whole; null if the server has none (HTTP 404). Rejects with an AppError or an UpdateError. */
export async function fetchSmall(url: URL, way: FeedWay, signal: AbortSignal): Promise<Buffer | null> {
  const chunks: Buffer[] = [];
  let bytes = 0;
  const isThere = await fetchBody(url, way, smallMs, signal, (chunk) => {
    bytes += chunk.length;
    if (bytes > mostSmallBytes) throw new UpdateError('unusable', 'the feed is too large');
    chunks.push(chunk);
  });
  return isThere ? Buffer.concat(chunks) : null;
}

/** What a file must be, as the signed feed says. `sha512`: in base64. */
export interface ExpectedFile {
  readonly size: number;
  readonly sha512: string;
}

interface FetchOptions {
  readonly way: FeedWay;
  readonly signal: AbortSignal;
  readonly onReceived: (bytes: number) => void;
  readonly atLeastMs?: number;
}

/** Writes a file to `path` and resolves if it is the expected one; else nothing stays there. Rejects with an AppError, an UpdateError or as node:fs. */
export async function fetchFile(
  url: URL,
  path: string,
  { size, sha512 }: ExpectedFile,
  { way, signal, onReceived, atLeastMs = usualAtLeastMs }: FetchOptions,
): Promise<void> {
  const hash = createHash('sha512');
  let bytes = 0;
  try {
    const file = await open(path, 'w', 0o600);
    try {
      const isThere = await fetchBody(url, way, atLeastMs + size / slowestBytesPerMs, signal, async (chunk) => {
        bytes += chunk.length;
        if (bytes > size) throw new UpdateError('damaged', 'the file is larger than signed');
        hash.update(chunk);
        await file.writeFile(chunk);
        onReceived(bytes);
      });
      if (!isThere) throw appError('reply-unreadable', 'HTTP 404', { detail: 'http-status' });
      if (bytes !== size || hash.digest('base64') !== sha512) {
        throw new UpdateError('damaged', 'the file is not the one that was signed');
      }
      await file.sync();
    } finally {
      await file.close();
    }
  } catch (error) {
    await rm(path, { force: true }).catch(() => undefined);
    throw error;
  }
}

/** Follows no redirect: the settings name the place, and nobody else does. False for HTTP 404. */
async function fetchBody(
  url: URL,
  { proxy, extraCa }: FeedWay,
  wholeMs: number,
  signal: AbortSignal,
  onChunk: OnChunk,
): Promise<boolean> {
  return await withinTotal(wholeMs, signal, async (whole) => {
    const route = createRoute({ proxy, proxyLogin: null, extraCa, identity: null, timeouts: { connectMs } });
    const headers = { Accept: '*/*', 'Accept-Encoding': 'identity' };
    return await ask({ url, headers, answerMs: idleMs, signal: whole }, route, async (response) => {
      const status = response.statusCode ?? 0;
      if (status === 404) return false;
      if (status >= 300 && status < 400) throw appError('reply-unreadable', 'redirected', { detail: 'redirected' });
      if (status !== 200) throw appError('reply-unreadable', `HTTP ${status}`, { detail: 'http-status' });
      await readBody(response, idleMs, { signal: whole }, onChunk);
      return true;
    });
  });
}

/** An update that did not come about. The message is for the log: it holds no address and no path. */
export class UpdateError extends Error {
  readonly problem: UpdateProblem;

  constructor(problem: UpdateProblem, message: string) {
    super(message);
    this.name = 'UpdateError';
    this.problem = problem;
  }
}

const diskCodes = new Set([
  'ENOSPC',
  'EDQUOT',
  'EACCES',
  'EPERM',
  'EROFS',
  'EIO',
  'EMFILE',
  'EXDEV',
  'ENOENT',
  'EISDIR',
  'ENOTDIR',
  'EEXIST',
  'ELOOP',
]);

/** The problem that a person is told, of anything that was thrown on the way to an update. */
export function problemOf(error: unknown): UpdateProblem {
  if (error instanceof UpdateError) return error.problem;
  const failure = failureOf(error);
  if (failure?.detail === 'redirected') return 'redirected';
  if (failure?.detail === 'truncated-reply') return 'damaged';
  if (failure?.code === 'service-timeout') return 'too-slow';
  if (failure) return 'unreachable';
  const code = codeOf(error);
  // electron-updater's word for an installer that Windows does not find signed by the publisher.
  if (code === 'ERR_UPDATER_INVALID_SIGNATURE') return 'unsigned';
  return diskCodes.has(code) ? 'not-saved' : 'unusable';
}
