import { readdirSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { expect, it } from 'vitest';

const root = resolve(import.meta.dirname, '../../..');
const read = (path: string) => readFileSync(join(root, path), 'utf8');

it('the README names every page of docs/', () => {
  const readme = read('README.md');
  // A guide in another language is reached from the English one.
  const pages = readdirSync(join(root, 'docs')).filter((name) => /^[\w-]+\.md$/.test(name));
  expect(pages.length).toBeGreaterThan(15);
  expect(pages.filter((name) => !readme.includes(`](docs/${name})`))).toEqual([]);
});

it('the pages for administrators name the Electron that packages hold', () => {
  const { devDependencies } = JSON.parse(read('package.json')) as { devDependencies: { electron: string } };
  const [major] = devDependencies.electron.split('.');
  const named = [...read('docs/deployment.md').matchAll(/\b(?:what|hold) Electron (\d+)/g)].map(([, one]) => one);
  expect(named).toEqual([major, major]);
});

it('one least version of Node is written everywhere', () => {
  const { engines } = JSON.parse(read('package.json')) as { engines: { node: string } };
  const least = /^>=(\d+\.\d+)\.0$/.exec(engines.node)?.[1];
  const pages = [
    'README.md',
    'CONTRIBUTING.md',
    ...readdirSync(join(root, 'docs'))
      .filter((one) => one.endsWith('.md'))
      .map((one) => `docs/${one}`),
  ];
  const named = pages.flatMap((page) =>
    [
      ...read(page).matchAll(
        /(?:Node|Node\.js\]\([^)]*\)) (\d+(?:\.\d+)?) (?:or newer|and newer|upwards|or later)|we need (\d+(?:\.\d+)*)/g,
      ),
    ].map(([, one, other]) => `${page}: ${one ?? other}`),
  );
  expect(named.length).toBeGreaterThan(1);
  expect(named.filter((one) => !one.endsWith(`: ${least}`))).toEqual([]);
});
