import { createHash } from 'node:crypto';
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { appError } from '../../electron/core/foundation/app-error.ts';
import {
  accepted,
  becomes,
  gate,
  http,
  isBrokenOff,
  isUnderWay,
  large,
  openQueue,
  type Received,
  service,
  stateOf,
  stepsOf,
  waitMs,
} from './queue-setup.ts';

const end = '</soap:Envelope>';

const textOf = ({ parts }: Received) => Buffer.concat(parts).toString('latin1');
const documentIn = (body: string) => Buffer.from(/<Document>([^<]*)/.exec(body)?.[1] ?? '', 'base64');
const sha256 = (bytes: Buffer) => createHash('sha256').update(bytes).digest('hex');

describe('a large file whose job stands behind nothing', () => {
  it('is sent as its copy grows, but for its end, which waits for the departure with its hash', async () => {
    const [{ open, beforeAdmission }, seen] = [gate(), [] as unknown[]];
    const there = await service({
      onBody: ({ isWhole }) => {
        if (isWhole) {
          const { state, departedAt, sha256: hash } = queue.store.jobs.get(jobId) ?? {};
          const runs = join(queue.dataDir, 'runs');
          const notes = readdirSync(runs).filter((name) => name.endsWith('.departed'));
          const isNoted = notes.some((name) => readFileSync(join(runs, name), 'utf8').includes(`"${hash}"`));
          seen.push({ state, hasLeft: departedAt !== null, isNoted });
        }
        return false;
      },
    });
    const queue = await openQueue(there.port, { beforeAdmission });
    const { jobId, path } = await queue.add('a.pdf', large);
    await isUnderWay(there);
    // All that can leave before has left once nothing more comes.
    await expect.poll(() => queue.jobs.copyOf(jobId, 'document'), { timeout: waitMs }).not.toBeNull();
    expect(queue.store.jobs.get(jobId)).toMatchObject({ state: 'prepared', departedAt: null, sha256: null });
    const [request] = there.requests as [Received];
    expect(textOf(request)).not.toContain('</Document>');
    expect(documentIn(textOf(request)).length).toBeLessThan(large);
    open();
    await becomes(queue, jobId, 'done');
    expect(seen).toEqual([{ state: 'sending', hasLeft: true, isNoted: true }]);
    expect(there.requests).toHaveLength(1);
    expect(textOf(request).endsWith(end)).toBe(true);
    const bytes = Buffer.from(await readFile(path));
    expect(documentIn(textOf(request)).equals(bytes)).toBe(true);
    expect(queue.store.jobs.get(jobId)?.sha256).toBe(sha256(bytes));
    expect(stepsOf(queue, jobId)).toEqual(['prepared', 'waiting', 'sending', 'departed', 'answer-began', 'done']);
  });

  it.each(['a file of the same size was sent', 'the connection has a team', 'the job is paused', 'it is small'])(
    'is hashed before its first byte where %s',
    async (why) => {
      const hold = gate();
      let isHeld = false;
      const there = await service();
      const queue = await openQueue(there.port, {
        hasTeam: why.includes('team'),
        beforeAdmission: async () => (isHeld ? hold.beforeAdmission() : undefined),
      });
      if (why.includes('same size')) await becomes(queue, (await queue.add('a.pdf', large)).jobId, 'done');
      isHeld = true;
      const before = there.requests.length;
      if (why.includes('paused')) queue.jobs.pause({ what: 'all' });
      const { jobId } = await queue.add('b.pdf', why.includes('small') ? large / 4 : large);
      await expect.poll(() => queue.jobs.copyOf(jobId, 'document'), { timeout: waitMs }).not.toBeNull();
      expect([stateOf(queue, jobId), there.requests.length - before]).toEqual(['prepared', 0]);
      hold.open();
      if (why.includes('paused')) await queue.jobs.resume({ what: 'all' });
      await becomes(queue, jobId, 'done');
    },
  );

  it('never has its end where it is a duplicate that nobody could see before', async () => {
    const hold = gate();
    let isHeld = false;
    const there = await service();
    const queue = await openQueue(there.port, {
      beforeAdmission: async () => (isHeld ? hold.beforeAdmission() : undefined),
      change: () => ({ goesUnhashed: () => true }),
    });
    await becomes(queue, (await queue.add('a.pdf', large)).jobId, 'done');
    isHeld = true;
    const { jobId } = await queue.add('a.pdf', large);
    await isUnderWay(there, 1);
    hold.open();
    await expect.poll(() => queue.store.jobs.get(jobId)?.held, { timeout: waitMs }).toBe('duplicate');
    await isBrokenOff(there);
    expect([stateOf(queue, jobId), there.whole().length]).toEqual(['waiting', 1]);
    expect(stepsOf(queue, jobId)).not.toContain('departed');
  });

  it.each(['cancel', 'takeBack', 'pause', 'pause all'] as const)(
    'is broken off before its end by a person: %s',
    async (action) => {
      const { open, beforeAdmission } = gate();
      const there = await service();
      const queue = await openQueue(there.port, { beforeAdmission });
      const { jobId } = await queue.add('a.pdf', large);
      await isUnderWay(there);
      if (action === 'cancel') await queue.jobs.cancel(jobId);
      else if (action === 'takeBack')
        expect(await queue.jobs.takeBack({ jobIds: [jobId] })).toEqual({ jobIds: [jobId] });
      else queue.jobs.pause(action === 'pause' ? { what: 'job', jobId } : { what: 'all' });
      open();
      await isBrokenOff(there);
      await becomes(queue, jobId, action.startsWith('pause') ? 'waiting' : 'cancelled');
      expect(there.whole()).toEqual([]);
      expect(stepsOf(queue, jobId)).not.toContain('departed');
      if (!action.startsWith('pause')) return;
      await queue.jobs.resume(action === 'pause' ? { what: 'job', jobId } : { what: 'all' });
      await becomes(queue, jobId, 'done');
      expect(there.whole()).toHaveLength(1);
    },
  );

  it('is in doubt where the service says that it has half of it, also if another program keeps its departure from being noted', async () => {
    const there = await service({
      onBody: ({ socket, isWhole }) => {
        if (!isWhole && socket.writable) socket.end(http('200 OK', accepted('3f2504e0-4f89-41d3-9a0c-0305e82c3399')));
        return true;
      },
    });
    const depart = () => Promise.reject(appError('storage-busy', 'another program writes to the database'));
    const queue = await openQueue(there.port, { change: () => ({ depart }) });
    const { jobId } = await queue.add('a.pdf', large);
    await becomes(queue, jobId, 'in-doubt');
    expect(there.requests).toHaveLength(1);
  });

  it('is broken off by another program that cancels it', async () => {
    const { open, beforeAdmission } = gate();
    const there = await service();
    const queue = await openQueue(there.port, { beforeAdmission });
    const { jobId } = await queue.add('a.pdf', large);
    await isUnderWay(there);
    // As another program does it: nothing is said to this one.
    queue.store.jobs.move(jobId, ['prepared'], 'cancelled', { failure: null });
    open();
    await isBrokenOff(there);
    expect([stateOf(queue, jobId), there.whole().length]).toEqual(['cancelled', 0]);
  });

  it('never has its end where the file was changed while it was read', async () => {
    let path = '';
    const there = await service({
      onBody: (_request, count) => {
        if (count === 2 && path) writeFileSync(path, 'changed', { flag: 'r+' });
        if (count === 2) path = '';
        return false;
      },
    });
    const queue = await openQueue(there.port);
    // The first request loads what the second needs at once.
    await becomes(queue, (await queue.add('a.pdf', 1_000)).jobId, 'done');
    const { jobId, path: given } = await queue.add('b.pdf', 6 * large);
    path = given;
    await becomes(queue, jobId, 'failed');
    await isBrokenOff(there);
    expect(queue.store.jobs.get(jobId)?.failure?.code).toBe('file-changed');
    expect([there.requests.length, there.whole().length]).toEqual([2, 1]);
  });
});
