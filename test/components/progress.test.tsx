import { describe, expect, it } from 'vitest';
import { page } from 'vitest/browser';
import { Progress } from '../../renderer/parts/progress.tsx';
import { showPart } from './harness/show.tsx';

describe('a progress bar', () => {
  const bar = page.getByRole('progressbar', { name: 'Downloading' });
  /** How much of the bar is filled, from 0 to 1. */
  const filled = () => {
    const [track, fill] = bar.element().querySelectorAll('div');
    return (fill?.getBoundingClientRect().width ?? 0) / (track?.getBoundingClientRect().width ?? 1);
  };

  it('shows and says how much is done', async () => {
    const shown = showPart(<Progress label="Downloading" done={25} total={100} />);
    await expect.element(bar).toHaveAttribute('aria-valuenow', '25');
    await expect.poll(filled).toBeCloseTo(0.25, 1);
    shown.draw(<Progress label="Downloading" done={60} total={100} />);
    await expect.element(bar).toHaveAttribute('aria-valuenow', '60');
    await expect.poll(filled).toBeCloseTo(0.6, 1);
  });

  it('is full, and never more, where more came than was announced', async () => {
    showPart(<Progress label="Downloading" done={300} total={100} />);
    await expect.element(bar).toHaveAttribute('aria-valuenow', '100');
    await expect.poll(filled).toBeCloseTo(1, 2);
  });

  it('promises no share where nobody knows how much there is', async () => {
    showPart(<Progress label="Downloading" done={25} total={null} />);
    await expect.element(bar).toBeVisible();
    await expect.element(bar).not.toHaveAttribute('aria-valuenow');
  });

  it('is empty, not broken, where there is nothing to do', async () => {
    showPart(<Progress label="Downloading" done={0} total={0} />);
    await expect.element(bar).toHaveAttribute('aria-valuenow', '0');
    await expect.poll(filled).toBe(0);
  });

  it('says in words what is given in words', async () => {
    showPart(<Progress label="Downloading" done={1} total={4} text="1 of 4 documents" />);
    await expect.element(bar).toHaveAttribute('aria-valuetext', '1 of 4 documents');
  });
});
