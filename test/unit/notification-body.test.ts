import { chmodSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';

const link = '<a href="https://elsewhere.example">Lease</a> & <b>Annex</b>';
const shownAsText =
  '&lt;a href=&quot;https://elsewhere.example&quot;&gt;Lease&lt;/a&gt; &amp; &lt;b&gt;Annex&lt;/b&gt;';

describe('the body of a notification', () => {
  let bin = '';
  const earlier = process.env.PATH;
  beforeEach(() => {
    bin = mkdtempSync(join(tmpdir(), 'sealdesk-bus-'));
    process.env.PATH = bin;
    // The bus is asked once for a run of the program: each test is one.
    vi.resetModules();
  });
  afterEach(() => {
    process.env.PATH = earlier;
    rmSync(bin, { recursive: true, force: true });
  });
  /** Answers for the session bus as `dbus-send --print-reply` prints it, and only to the question of the program. */
  const capable = (...capabilities: readonly string[]) => {
    const file = join(bin, 'dbus-send');
    const lines = capabilities.map((one) => `echo '      string "${one}"'`).join('\n');
    const question =
      '--dest=org.freedesktop.Notifications /org/freedesktop/Notifications org.freedesktop.Notifications.GetCapabilities';
    writeFileSync(
      file,
      `#!/bin/sh\n[ "$*" = "--session --print-reply ${question}" ] || exit 1\necho '   array ['\n${lines}\n`,
    );
    chmodSync(file, 0o755);
  };
  const bodyOf = async (text: string, platform: NodeJS.Platform = 'linux') => {
    const { notificationBody } = await import('../../electron/shell/system/notification-body.ts');
    return notificationBody(text, platform);
  };

  it('has no markup and no link of a name, where the system reads them', async () => {
    capable('actions', 'body', 'body-markup', 'body-hyperlinks');
    expect(await bodyOf(link)).toBe(shownAsText);
    expect(await bodyOf('Lease · Ana')).toBe('Lease · Ana');
  });

  it('is as it was where the system reads none', async () => {
    capable('actions', 'body');
    expect(await bodyOf(link)).toBe(link);
    expect(await bodyOf(link, 'win32')).toBe(link);
  });

  it('counts as markup where nobody knows', async () => {
    expect(await bodyOf(link)).toBe(shownAsText);
  });
});
