import { randomBytes } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { firstLoadLimit, firstLoadOf, firstLoadProblem } from '../../renderer/vite.config.ts';

/** A script that cannot be compressed to less than about `bytes`. */
const script = (bytes: number) => `'${randomBytes(Math.ceil((bytes * 3) / 4)).toString('base64')}'`;
const chunk = (fileName: string, imports: readonly string[], code: string, isEntry = false) => ({
  fileName,
  isEntry,
  imports,
  code,
});

describe('the first load of the window', () => {
  it('is the page with all that it imports at once, and nothing that it loads later', () => {
    const chunks = [
      chunk('index.js', ['parts.js'], script(1000), true),
      chunk('parts.js', ['index.js', 'base.js'], script(2000)),
      chunk('base.js', [], script(4000)),
      chunk('screen.js', ['parts.js'], script(8000)),
    ];
    const { names, bytes } = firstLoadOf(chunks);
    expect(names).toEqual(['index.js', 'parts.js', 'base.js']);
    expect(bytes).toBeGreaterThan(5000);
    expect(bytes).toBeLessThan(8000);
  });

  it('lets the build fail above its limit, which is 192 kB, and only there', () => {
    expect(firstLoadLimit).toBe(194_100);
    const scripts = (size: number) => [
      chunk('index.js', ['parts.js'], script(1000), true),
      chunk('parts.js', [], script(size)),
      chunk('screen.js', ['parts.js'], script(size)),
    ];
    // Base64 is compressed to a little more than three quarters.
    expect(firstLoadProblem(scripts(200_000))).toBeNull();
    expect(firstLoadProblem(scripts(400_000))).toMatch(/first load is \d{6} bytes.*index\.js, parts\.js\./);
  });
});
