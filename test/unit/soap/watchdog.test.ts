import { expect, it } from 'vitest';
import type { AppError } from '../../../electron/core/foundation/app-error.ts';
import { createWatchdog } from '../../../electron/soap/wire/watchdog.ts';

it('says how long nothing came in whole milliseconds, also of what is left of a limit', async () => {
  const error = await new Promise<AppError>((fail) => createWatchdog(fail).arm(4.8022109999001, 'no-answer-in-time'));
  expect(error.failure).toMatchObject({ code: 'service-timeout', note: 'nothing for 5 ms' });
});
