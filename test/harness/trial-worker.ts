import { appError } from '../../electron/core/foundation/app-error.ts';
import { serveWorker } from '../../electron/core/foundation/worker-channel.ts';

const seen: string[] = [];

const actions = {
  async later(name: string, ms: number): Promise<readonly string[]> {
    await new Promise((done) => setTimeout(done, ms));
    seen.push(name);
    return [...seen];
  },
  fail(): void {
    throw appError('storage-full', 'no room', { detail: 'drive-error' });
  },
  missing(): void {
    throw Object.assign(new TypeError('not there'), { code: 'ENOENT' });
  },
  exit(): void {
    process.exit(3);
  },
};

export type TrialActions = typeof actions;

serveWorker(actions);
