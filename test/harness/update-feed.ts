import { generateKeyPairSync } from 'node:crypto';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { createServer as createSecureServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { writeFeed } from '../../scripts/release/feed.mjs';
import type { Certificate } from './certificate.ts';

/** A key as the settings name it, and its private half. */
export function newKey() {
  const { privateKey, publicKey } = generateKeyPairSync('ed25519');
  return {
    pem: privateKey.export({ type: 'pkcs8', format: 'pem' }).toString(),
    setting: publicKey.export({ type: 'spki', format: 'der' }).toString('base64'),
  };
}

type Answer = (response: ServerResponse, request: IncomingMessage) => void;

/** `now`: when the list is issued, in milliseconds since 1970; it holds for `days`. */
interface Offered {
  readonly staging?: number;
  readonly key?: string;
  readonly now?: number;
  readonly days?: number;
}

/** A folder with updates, served on loopback. */
export interface UpdateFeed {
  readonly address: string;
  readonly key: ReturnType<typeof newKey>;
  /** Names that were asked for, in order. */
  readonly asked: readonly string[];
  /** Offers an AppImage with this content, signed. */
  offer(version: string, content: Buffer, how?: Offered): void;
  /** The bytes of a file in the folder. */
  read(name: string): Buffer;
  write(name: string, content: Buffer | string): void;
  remove(name: string): void;
  /** Answers differently for one name from now on; null as before. */
  answer(name: string, how: Answer | null): void;
  close(): Promise<void>;
}

export const appImage = (version: string) => `Sealdesk-${version}.AppImage`;

export async function startFeed(certificate?: Certificate): Promise<UpdateFeed> {
  const folder = mkdtempSync(join(tmpdir(), 'sealdesk-feed-'));
  const key = newKey();
  const asked: string[] = [];
  const others = new Map<string, Answer>();
  const serve = (request: IncomingMessage, response: ServerResponse) => {
    const name = decodeURIComponent((request.url ?? '').replace(/^\/updates\//, ''));
    asked.push(name);
    response.on('error', () => undefined);
    const other = others.get(name);
    if (other) return other(response, request);
    try {
      response.end(readFileSync(join(folder, name)));
    } catch {
      response.writeHead(404).end();
    }
  };
  const server = certificate ? createSecureServer(certificate, serve) : createServer(serve);
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  const { port } = server.address() as AddressInfo;
  return {
    address: `${certificate ? 'https' : 'http'}://127.0.0.1:${port}/updates`,
    key,
    asked,
    offer: (version, content, { key: pem = key.pem, ...how } = {}) => {
      writeFileSync(join(folder, appImage(version)), content);
      writeFeed(folder, { version, key: pem, ...how });
    },
    read: (name) => readFileSync(join(folder, name)),
    write: (name, content) => writeFileSync(join(folder, name), content),
    remove: (name) => rmSync(join(folder, name), { force: true }),
    answer: (name, how) => void (how ? others.set(name, how) : others.delete(name)),
    close: async () => {
      server.closeAllConnections();
      await new Promise((done) => server.close(done));
      rmSync(folder, { recursive: true, force: true });
    },
  };
}
