import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { page } from 'vitest/browser';
import type { Task } from '../../contract/tasks.ts';
import { useTaskAnnouncements } from '../../renderer/app/announcements.ts';
import { peer } from './harness/core-peer.ts';
import { showPart } from './harness/show.tsx';

const total = 400;

function download(doneCount: number, state: Task['state'] = 'running'): Task<'bulk-download'> {
  return {
    taskId: 'task-1',
    startedAt: '2027-01-04T09:12:00.000Z',
    state,
    failure: null,
    kind: 'bulk-download',
    progress: {
      folderName: 'Leases',
      total,
      doneCount,
      failedCount: 0,
      waitsFor: null,
      away: null,
      running: [],
      saved: [],
      failed: [],
    },
  };
}

function Window() {
  useTaskAnnouncements();
  return <p>Window</p>;
}

/** What the live region said, with the time of the window's clock. */
let spoken: { readonly text: string; readonly atMs: number }[] = [];
let observer: MutationObserver;

/** Ends when what waits has had its turn. A frame of the screen would be sixteen real milliseconds. */
function turn(): Promise<void> {
  const { port1, port2 } = new MessageChannel();
  return new Promise((resolve) => {
    port1.onmessage = () => {
      port1.close();
      resolve();
    };
    port2.postMessage(null);
  });
}

/** Lets time go by in the window; the observer and React get their turns in between. */
async function pass(ms: number, eachTenth?: () => void): Promise<void> {
  for (let gone = 0; gone < ms; gone += 100) {
    eachTenth?.();
    vi.advanceTimersByTime(100);
    await turn();
  }
}

describe('the progress of a task, for people who do not see it', () => {
  beforeEach(async () => {
    vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval', 'setTimeout', 'clearTimeout', 'performance'] });
    const { box } = showPart(<Window />);
    await expect.element(page.getByText('Window')).toBeVisible();
    spoken = [];
    const region = box.querySelector('[role="status"][aria-live="polite"]');
    if (!region) throw new Error('there is no polite live region');
    observer = new MutationObserver(() => {
      if (region.textContent) spoken.push({ text: region.textContent, atMs: performance.now() });
    });
    observer.observe(region, { childList: true, subtree: true, characterData: true });
  });
  afterEach(() => {
    observer.disconnect();
    vi.useRealTimers();
  });

  it('is spoken at its start, at some steps and at its end, and never more often than every few seconds', async () => {
    const beganAt = performance.now();
    peer.send('tasks.started', download(0));
    let done = 0;
    await pass(40_000, () => {
      done += 1;
      peer.send('tasks.progressed', download(done));
    });
    peer.send('tasks.ended', download(total, 'done'));
    await pass(5_000);
    const texts = spoken.map(({ text }) => text);
    expect(texts[0]).toMatch(/^Downloads to folder: \d\d of 400 documents$/);
    expect(texts.at(-1)).toBe('400 documents downloaded into Leases');
    expect((spoken[0]?.atMs ?? 0) - beganAt).toBeLessThan(4_000);
    expect(texts).toHaveLength(5);
    const gaps = spoken.slice(1).map(({ atMs }, index) => atMs - (spoken[index]?.atMs ?? 0));
    expect(Math.min(...gaps)).toBeGreaterThanOrEqual(4_000 - 200);
    expect(page.getByRole('alert').elements()).toEqual([]);
  });

  it('is spoken once of a task that is over at once, and not again where nothing moves', async () => {
    peer.send('tasks.started', download(0));
    await pass(1_000);
    peer.send('tasks.ended', download(total, 'done'));
    await pass(5_000);
    expect(spoken.map(({ text }) => text)).toEqual(['400 documents downloaded into Leases']);
    peer.send('tasks.started', download(0));
    await pass(5_000, () => peer.send('tasks.progressed', download(2)));
    peer.send('tasks.ended', download(6, 'stopped'));
    await pass(5_000);
    expect(spoken.at(-1)?.text).toBe('Stopped: 6 of 400 downloaded into Leases');
    spoken = [];
    peer.send('tasks.started', { ...download(0), taskId: 'task-2' });
    peer.send('tasks.progressed', { ...download(7), taskId: 'task-2' });
    await pass(40_000);
    expect(spoken.map(({ text }) => text)).toEqual(['Downloads to folder: 7 of 400 documents']);
  });

  it('stays to be read no longer than a task of whose end nothing is said', async () => {
    await pass(5_000, () => peer.send('tasks.progressed', download(7)));
    expect(spoken.map(({ text }) => text)).toEqual(['Downloads to folder: 7 of 400 documents']);
    peer.send('tasks.ended', download(7, 'failed'));
    await pass(1_000);
    expect(document.querySelector('[data-live-announcer]')?.textContent).toBe('');
  });
});
