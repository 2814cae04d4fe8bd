import { expect, it } from 'vitest';
import { sentToText } from '../../renderer/features/jobs/meaning-text.ts';

it('tells requests apart by the name of a single signer, else by the addresses', () => {
  expect(sentToText('')).toBe('');
  expect(sentToText('ana@example.com Ana Petrov')).toBe('Ana Petrov');
  expect(sentToText('ana@example.com')).toBe('ana@example.com');
  expect(sentToText('ana@example.com bo@example.com Ana Petrov Bo Lindqvist')).toBe('ana@example.com, bo@example.com');
});
