import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { Failure } from '../../contract/failure.ts';
import { createCircuitBreakers } from '../../electron/core/lasting-work/circuit-breaker.ts';

const failure = (code: Failure['code'], detail?: Failure['detail']): Failure => ({
  code,
  note: '',
  retryable: true,
  ...(detail ? { detail } : {}),
});
const away = failure('service-unreachable');

/** Two kinds of work over one connection. A pause has its whole length: 1 s, 2 s, 4 s. */
function twoKinds() {
  const told: string[] = [];
  const breakers = createCircuitBreakers({ serviceMs: 1_000, serviceMostMs: 60_000 });
  const adds = breakers.ofKind(() => told.push('adds'));
  const reads = breakers.ofKind(() => told.push('reads'));
  const rooms = () => [adds.room('c', 8, 0), reads.room('c', 2, 0)];
  return { breakers, adds, reads, rooms, told };
}

describe('a service that is away', () => {
  beforeEach(() => {
    vi.useFakeTimers();
    vi.spyOn(Math, 'random').mockReturnValue(1);
  });
  afterEach(() => {
    vi.useRealTimers();
    vi.restoreAllMocks();
  });

  it('is found out by one kind for all, tried by one item, first of another kind, and back for all at once', () => {
    const { adds, reads, rooms, told } = twoKinds();
    reads.open('c', away);
    expect([rooms(), adds.room('other', 8, 0)]).toEqual([[0, 0], 8]);
    expect([adds.failure('c'), adds.backingOff()]).toMatchObject([away, [{ connectionId: 'c' }]]);
    expect(told.splice(0)).toEqual(['adds', 'reads']);
    vi.advanceTimersByTime(950);
    expect([rooms(), told.splice(0)]).toEqual([
      [1, 0],
      ['adds', 'reads'],
    ]);
    // With nothing to add, the kind that found it out tries.
    vi.advanceTimersByTime(60);
    expect([rooms(), adds.room('c', 8, 1)]).toEqual([[1, 1], 0]);
    adds.open('c', away);
    reads.open('c', away);
    vi.advanceTimersByTime(1_700);
    expect(rooms()).toEqual([0, 0]);
    vi.advanceTimersByTime(200);
    expect(rooms()).toEqual([0, 1]);
    told.splice(0);
    expect(adds.close('c')).toBe(true);
    expect([rooms(), told, adds.close('c')]).toEqual([[8, 2], ['adds', 'reads'], false]);
  });

  it('is away for the reason that was seen last, also within a pause', () => {
    const { adds, reads } = twoKinds();
    const busy = failure('reply-unreadable', 'http-status');
    const status = { ...busy, serviceCode: '429' };
    adds.open('c', status);
    adds.open('c', away);
    expect([adds.failure('c'), reads.failure('c')]).toEqual([away, away]);
    expect(adds.backingOff()).toMatchObject([{ failure: away }]);
  });

  it('is tried by one item when a person wants it, however often that is pressed, and says that it is being tried', () => {
    const { adds, breakers, rooms, told } = twoKinds();
    adds.open('c', away);
    expect([rooms(), adds.backingOff()[0]?.nextTryAt]).toEqual([[0, 0], expect.any(String)]);
    told.splice(0);
    breakers.tryNow('c');
    breakers.tryNow('c');
    expect([adds.room('c', 8, 0), adds.room('c', 8, 1), adds.backingOff()[0]?.nextTryAt]).toEqual([1, 0, null]);
    expect(told).toContain('adds');
    adds.open('c', away);
    expect([rooms(), adds.backingOff()[0]?.nextTryAt]).toEqual([[0, 0], expect.any(String)]);
    // Its pause is the first one again.
    vi.advanceTimersByTime(1_010);
    expect(rooms()[0]).toBe(1);
  });

  it('holds back only what fails where others are answered meanwhile, each time for longer', () => {
    const { adds, reads, rooms } = twoKinds();
    reads.open('c', away);
    adds.close('c');
    expect(rooms()).toEqual([8, 0]);
    vi.advanceTimersByTime(1_001);
    expect(rooms()).toEqual([8, 1]);
    reads.open('c', away);
    vi.advanceTimersByTime(1_700);
    expect(rooms()).toEqual([8, 0]);
    vi.advanceTimersByTime(400);
    expect(rooms()).toEqual([8, 1]);
    reads.close('c');
    expect(rooms()).toEqual([8, 2]);
  });

  it('is something else than a team register that is away, a full disk, or one slow answer: they hold back their own kind', () => {
    const { adds, reads, rooms } = twoKinds();
    adds.open('c', failure('not-connected', 'team-away'));
    reads.open('other', failure('service-timeout'));
    expect([rooms(), adds.room('other', 8, 0), reads.room('other', 2, 0)]).toEqual([[0, 2], 8, 0]);
    adds.open('c', away);
    expect([rooms(), adds.failure('c')]).toEqual([[0, 0], away]);
    reads.close('c');
    expect(adds.failure('c')).toMatchObject(away);
  });

  it('is something else than a database that another program holds, which is tried again after the shortest pause each time', () => {
    const { adds, rooms } = twoKinds();
    for (let time = 0; time < 4; time += 1) {
      adds.open('c', failure('storage-busy'));
      expect(rooms()[0]).toBe(0);
      vi.advanceTimersByTime(1_010);
      expect(rooms()[0]).toBe(1);
    }
  });

  it('starts no pause any more once the program ends', () => {
    const { breakers, reads, rooms } = twoKinds();
    reads.open('c', away);
    breakers.stop();
    reads.open('c', away);
    expect([rooms(), vi.getTimerCount()]).toEqual([[8, 2], 0]);
  });
});
