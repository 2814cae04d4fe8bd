import type { ServerResponse } from 'node:http';
import { setTimeout as wait } from 'node:timers/promises';
import { type Body, textBody } from './answer-body.ts';

export interface HttpAnswer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Body;
}

/** Misbehaviour while an answer is sent. */
export interface Sending {
  /** Close the connection after half of the body. */
  readonly dropInMiddle?: boolean;
  readonly trickle?: { readonly bytes: number; readonly everyMs: number };
}

export function page(status: number, title: string, text: string): HttpAnswer {
  const html = `<!DOCTYPE html>\n<html><head><title>${title}</title></head><body><h1>${title}</h1><p>${text}</p></body></html>\n`;
  return { status, headers: { 'Content-Type': 'text/html; charset=utf-8' }, body: textBody(html) };
}

/** Sends an answer with a Content-Length, as the interface requires, never chunked. */
export async function send(response: ServerResponse, answer: HttpAnswer, sending: Sending = {}): Promise<void> {
  const { sizeBytes } = answer.body;
  // Node's own line has a clock of its own; this is the clock of the times in the answers.
  const now = new Date().toUTCString();
  response.writeHead(answer.status, { Date: now, ...answer.headers, 'Content-Length': String(sizeBytes) });
  if (response.req.method === 'HEAD') {
    response.end();
    return;
  }
  const limit = sending.dropInMiddle ? Math.floor(sizeBytes / 2) : sizeBytes;
  let sent = 0;
  let before: Promise<void> = Promise.resolve();
  for await (const piece of answer.body.pieces()) {
    const part = piece.subarray(0, limit - sent);
    sent += part.length;
    if (sending.trickle) await trickle(response, part, sending.trickle);
    else {
      // One piece may be in transit while the next is produced; after that its memory is reused.
      const now = write(response, part);
      now.catch(() => undefined);
      await before;
      before = now;
    }
    if (sent >= limit) break;
  }
  await before;
  if (sending.dropInMiddle) response.destroy();
  else response.end();
}

async function trickle(response: ServerResponse, part: Buffer, { bytes, everyMs }: { bytes: number; everyMs: number }) {
  for (let at = 0; at < part.length; at += bytes) {
    await write(response, part.subarray(at, at + bytes));
    await wait(everyMs);
  }
}

function write(response: ServerResponse, bytes: Buffer): Promise<void> {
  return new Promise((resolve, reject) => {
    if (bytes.length === 0) return resolve();
    // After the client closed the connection, write may never call back.
    const closed = () => reject(new Error('the client closed the connection'));
    if (response.destroyed || response.closed) return closed();
    response.once('close', closed);
    response.write(bytes, (error) => {
      response.off('close', closed);
      if (error) reject(error);
      else resolve();
    });
  });
}
