import { setTimeout as pause } from 'node:timers/promises';
import { afterEach, describe, expect, it } from 'vitest';
import { type RunningCore, startCore } from '../harness/core.ts';

const cores: RunningCore[] = [];
afterEach(async () => {
  for (const core of cores.splice(0)) await core.stop();
});
const start = async (...given: Parameters<typeof startCore>) => {
  const core = await startCore(...given);
  cores.push(core);
  return core;
};
const connectionId = 'practice';

const address = async (core: RunningCore) =>
  (await core.must('connections.state', {})).connections.find(({ id }) => id === connectionId)?.baseUrl;

async function listens(baseUrl: string | undefined): Promise<boolean> {
  return await fetch(String(baseUrl)).then(
    () => true,
    () => false,
  );
}

describe('the practice service', () => {
  it('is started once by many simultaneous first uses', async () => {
    const core = await start();
    await Promise.all(Array.from({ length: 20 }, () => core.must('service.version', { connectionId })));
    expect(core.practice.starts()).toBe(1);
  });

  it('answers version and schedule, and accepts its own credentials', async () => {
    const core = await start();
    expect((await core.must('service.version', { connectionId })).raw).toMatch(/\S/);
    expect((await core.must('service.schedule', { connectionId })).raw).toMatch(/\S/);
    expect(await core.must('service.testCredentials', { connectionId })).toMatchObject({ accepted: true });
    expect(await core.core.authToken(connectionId)).toMatch(/\S/);
  });

  it('ends after a time without use, publishes that, and starts at another address at the next use', async () => {
    const core = await start({ practiceIdleMs: 800 });
    await core.must('service.testCredentials', { connectionId });
    const first = await address(core);
    expect(await listens(first)).toBe(true);
    await core.until(
      'connections.changed',
      ({ connections }) => connections[0]?.baseUrl !== first && core.events.length > 1,
    );
    await expect.poll(() => listens(first)).toBe(false);
    await core.must('service.testCredentials', { connectionId });
    expect(core.practice.starts()).toBe(2);
    expect(await listens(await address(core))).toBe(true);
  });

  it('runs as long as it is used', async () => {
    const core = await start({ practiceIdleMs: 1000 });
    for (let round = 0; round < 5; round += 1) {
      await core.must('service.version', { connectionId });
      await pause(300);
    }
    expect(core.practice.starts()).toBe(1);
  });

  it('ends with the core', async () => {
    const core = await start();
    await core.must('service.version', { connectionId });
    const last = await address(core);
    await core.core.close();
    expect(await listens(last)).toBe(false);
  });

  it('is started again at the next use if it could not start', async () => {
    let tries = 0;
    const core = await start({
      practice: {
        start: async () => {
          tries += 1;
          return Promise.reject(Object.assign(new Error('in use'), { code: 'EADDRINUSE' }));
        },
      },
    });
    for (let round = 0; round < 2; round += 1) {
      const answer = await core.ask('service.version', { connectionId });
      expect(answer).toMatchObject({ ok: false, failure: { code: 'service-unreachable', detail: 'port-in-use' } });
    }
    expect(tries).toBe(2);
  });
});
