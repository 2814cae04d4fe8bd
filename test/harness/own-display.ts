import { inject } from 'vitest';

/** In each worker, before its tests are loaded. */
const display = inject('displays')[Number(process.env.VITEST_POOL_ID) - 1];
if (display) process.env.DISPLAY = display;
