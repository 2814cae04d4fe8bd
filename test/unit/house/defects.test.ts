import { existsSync, readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { defects } from '../../defects/defects.ts';

it('each defect that the tests must find can still be made, in the place that it names', () => {
  const places = defects.map(({ name, file, find }) => [name, readFileSync(file, 'utf8').split(find).length - 1]);
  expect(places).toEqual(defects.map(({ name }) => [name, 1]));
  expect(defects.filter(({ foundBy }) => !existsSync(foundBy))).toEqual([]);
});
