import { join } from 'node:path';
import { startPractice } from '../practice/practice-service.ts';

/** The practice service in a process of its own, with its data in the folder given. Prints where it is; ends when its input ends. */
const practice = await startPractice({
  dataDir: process.argv[2] ?? '',
  assetsDir: join(import.meta.dirname, '../assets'),
  // Until it is completed there is nothing to fetch.
  processingMs: 0,
  credits: { document: 5 },
});
const { baseUrl, mainPath, easySignPath, namespaceUri, apiKey, apiSig } = practice;
console.log(JSON.stringify({ baseUrl, mainPath, easySignPath, namespaceUri, apiKey, apiSig }));
process.stdin.once('end', () => void practice.close()).resume();
