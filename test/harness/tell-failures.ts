import { afterEach } from 'vitest';
import { openDesktops } from './electron.ts';

// A test that fails once in a hundred runs is only understood by what was on screen then.
afterEach(async ({ task }) => {
  if (task.result?.state !== 'fail') return;
  for (const { page, output } of openDesktops) {
    const text = await page.evaluate(() => document.body.innerText).catch(String);
    console.log(
      `When “${task.name}” failed there was on screen:\n${text.slice(0, 4_000)}\nsaid:\n${output().slice(-2_000)}`,
    );
  }
});
