import { describe, expect, test } from 'vitest';
import type { FaultInjector } from '../../../practice/misbehave.ts';
import { call, type Practice, pdf, practice, send } from './practice-client.ts';

const add = (service: Practice) => send(service, 'AddNewDocument', { Document: pdf(), creditType: 1 });

function taken(service: Practice): number {
  return [...service.control.addsByHash().values()].reduce((sum, count) => sum + count, 0);
}

describe('the connection is dropped', () => {
  test.each([
    ['before the request', { kind: 'drop-before' }, 0],
    ['in the middle of the request', { kind: 'drop-before', afterBytes: 100 }, 0],
    ['after the request was taken', { kind: 'drop-after' }, 1],
    ['in the middle of the answer', { kind: 'drop-in-answer' }, 1],
  ] as const)('%s', async (_when, mischief, adds) => {
    const service = await practice({ misbehave: { mischief } });
    await expect(add(service)).rejects.toThrow();
    expect(taken(service)).toBe(adds);
    expect(service.control.credits().document).toBe(100_000 - adds);
    service.control.misbehave(null);
    expect((await add(service)).status).toBe(200);
  });
});

describe('the answer is', () => {
  test.each([
    ['a fault', { kind: 'fault', text: 'no luck' }, 500, /soap:Server<\/faultcode><faultstring>no luck/, 0],
    ['a fault although it was taken', { kind: 'fault', taken: true }, 500, /soap:Server/, 1],
    ['a page', { kind: 'html' }, 200, /^<!DOCTYPE html>/, 0],
    ['a page with a status', { kind: 'html', status: 503 }, 503, /^<!DOCTYPE html>/, 0],
    ['garbage', { kind: 'garbage' }, 200, /not XML/, 0],
    ['cut off', { kind: 'truncated' }, 200, /^(?!.*<\/soap:Envelope>)<\?xml/, 1],
    ['another code', { kind: 'answer', text: '-999' }, 200, /Result>-999</, 0],
    ['nothing', { kind: 'answer', text: null, taken: true }, 200, /<AddNewDocumentResponse [^>]*\/>/, 1],
    ['late', { kind: 'delay', ms: 30 }, 200, /Result>[0-9A-F-]{36}</, 1],
    ['slow', { kind: 'slow', bytes: 100, everyMs: 5 }, 200, /<\/soap:Envelope>/, 1],
    ['a challenge', { kind: 'early', status: 401 }, 401, /html/, 0],
    ['a redirect', { kind: 'early', status: 302 }, 302, /html/, 0],
  ] as const)('%s', async (_what, mischief, status, body, adds) => {
    const service = await practice({ misbehave: { mischief } });
    const reply = await add(service);
    expect(reply.status).toBe(status);
    expect(reply.body).toMatch(body);
    expect(reply.headers['content-length']).toBe(String(Buffer.byteLength(reply.body)));
    expect(taken(service)).toBe(adds);
  });
});

test('rules choose requests by operation, every n-th, and number of times', async () => {
  const service = await practice();
  const fault: FaultInjector['mischief'] = { kind: 'fault' };
  const statuses = async (count: number, operation: string) => {
    const all: number[] = [];
    for (let at = 0; at < count; at++) all.push((await send(service, operation, {}, at % 2 ? '1.1' : '1.2')).status);
    return all;
  };
  service.control.misbehave({ mischief: fault, operation: 'GetSchedule', every: 2, times: 2 });
  expect(await statuses(3, 'GetVersion')).toEqual([200, 200, 200]);
  expect(await statuses(7, 'GetSchedule')).toEqual([200, 500, 200, 500, 200, 200, 200]);
  service.control.misbehave([{ mischief: fault, times: 1 }, { mischief: { kind: 'html', status: 503 } }]);
  expect(await statuses(3, 'GetVersion')).toEqual([500, 503, 503]);
  expect(service.control.requests()).toEqual({ GetVersion: 6, GetSchedule: 7 });
});

test('closing does not wait for a late answer', async () => {
  const service = await practice({ misbehave: { mischief: { kind: 'delay', ms: 60_000 } } });
  const answer = call(service, 'GetVersion').catch((error: Error) => error);
  await expect.poll(() => service.control.requests().GetVersion).toBe(1);
  const before = Date.now();
  await service.close();
  expect(Date.now() - before).toBeLessThan(2000);
  expect(await answer).toBeInstanceOf(Error);
});
