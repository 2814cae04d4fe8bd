import { afterEach, beforeEach } from 'vitest';
import { beforeQuit, type Desktop, openDesktops } from './electron.ts';

let nameOfFailed: () => string | null = () => null;

beforeEach(({ task }) => {
  nameOfFailed = () => (task.result?.state === 'fail' ? task.name : null);
});

// Programs that are quit after each test are gone before the hook below is called.
beforeQuit.add(tell);
afterEach(async () => {
  for (const desktop of openDesktops) await tell(desktop);
});

/** A test that fails once in a hundred runs is only understood by what was on screen then. */
async function tell({ page, output }: Desktop): Promise<void> {
  const name = nameOfFailed();
  if (name === null) return;
  const text = await page.evaluate(() => document.body.innerText).catch(String);
  console.log(`When “${name}” failed there was on screen:\n${text.slice(0, 4_000)}\nsaid:\n${output().slice(-2_000)}`);
}
