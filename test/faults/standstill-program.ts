import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { hashFile } from '../../electron/core/files/hash-file.ts';
import { createSoapClient } from '../../electron/soap/soap-client.ts';
import { credentials, targetFor } from '../harness/soap-texts.ts';

/**
 * A separate program for tests that suspend it: sends ADDS requests at the same time and prints their results as JSON. Environment: URL, PROXY (PAC
 * answer), LIMIT_MS (each time-out), ADDS, DOCUMENT_BYTES, FOLDER for the document.
 */
const { URL: url = '', PROXY: proxy = 'DIRECT', FOLDER: folder = '' } = process.env;
const limitMs = Number(process.env.LIMIT_MS);
const path = join(folder, `document-${process.pid}`);
await writeFile(path, Buffer.alloc(Number(process.env.DOCUMENT_BYTES), 'x'));
const Document = { path, ...(await hashFile(path)) };

const timeouts = { connectMs: limitMs, idleMs: limitMs, answerMs: limitMs };
const client = createSoapClient(targetFor(url, { proxy, timeouts }), credentials);
const ends = Array.from({ length: Number(process.env.ADDS) }, async () => {
  try {
    return (await client.invoke('AddNewDocument', { creditType: 1, Document })).raw;
  } catch (error) {
    const { code, detail } = (error as { failure: { code: string; detail?: string } }).failure;
    return `${code} ${detail}`;
  }
});
process.stdout.write(JSON.stringify(await Promise.all(ends)));
client.close();
