/// <reference types="vite/client" />
import '../../../renderer/styles/base.css';
import { afterEach, beforeEach, expect } from 'vitest';
import { peer } from './core-peer.ts';
import { removeAll } from './show.tsx';

beforeEach(() => peer.reset());
afterEach(async () => {
  await removeAll();
  expect(peer.complaints).toEqual([]);
});
