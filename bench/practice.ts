import { join } from 'node:path';
import { startPractice } from '../test/harness/practice.ts';

/** Runs the practice service in a separate process, with its data in the given folder. Prints its address; ends when its input ends. */
const practice = await startPractice({
  dataDir: process.argv[2] ?? '',
  assetsDir: join(import.meta.dirname, '../assets'),
  // A document that is not completed cannot be downloaded.
  processingMs: 0,
  credits: { document: 5 },
});
const { baseUrl, mainPath, easySignPath, namespaceUri, apiKey, apiSig } = practice;
console.log(JSON.stringify({ baseUrl, mainPath, easySignPath, namespaceUri, apiKey, apiSig }));
process.stdin.once('end', () => void practice.close()).resume();
