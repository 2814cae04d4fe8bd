import { useState } from 'react';
import { expect, it } from 'vitest';
import { page } from 'vitest/browser';
import { Chip } from '../../renderer/parts/chip.tsx';
import { SearchField } from '../../renderer/parts/field.tsx';
import { VirtualList } from '../../renderer/parts/virtual-list.tsx';
import { showPart } from './harness/show.tsx';

const names = ['Übergabe Lease 14', 'Release of lease', 'Order 4471'];

function Searched() {
  const [search, setSearch] = useState('');
  return (
    <main>
      <h1>Leases</h1>
      <SearchField label="Search" placeholder="" value={search} onChange={setSearch} />
      <VirtualList label="Names" items={names} rowHeight={40} keyOf={(name) => name}>
        {(name) => (
          <article>
            <strong>{name}</strong>
            <Chip tone="info">Leased</Chip>
            <button type="button">Lease again</button>
          </article>
        )}
      </VirtualList>
    </main>
  );
}

const marked = () => [...(CSS.highlights.get('search') ?? [])].map(String);

it('marks in the rows what the search matches: beginnings of words, without accents, and nothing else on the page', async () => {
  showPart(<Searched />);
  const field = page.getByRole('searchbox', { name: 'Search' });
  await field.fill('lease uber');
  await expect.poll(marked).toEqual(['Lease', 'lease', 'Über']);
  // Where no word begins so, the list has found it inside.
  await field.fill('471');
  await expect.poll(marked).toEqual(['471']);
  await field.fill('');
  await expect.poll(marked).toEqual([]);
});

it('shows a key before what follows from it is drawn', async () => {
  const Slow = ({ word }: { readonly word: string }) => {
    for (const until = performance.now() + 10; performance.now() < until; );
    return <li>{word}</li>;
  };
  const Long = () => {
    const [search, setSearch] = useState('');
    return (
      <main>
        <SearchField label="Search" placeholder="" value={search} onChange={setSearch} />
        <ul>
          {Array.from({ length: 50 }, (_one, row) => (
            <Slow key={String(row)} word={`${search} ${row}`} />
          ))}
        </ul>
      </main>
    );
  };
  showPart(<Long />);
  await page.getByRole('searchbox').click();
  const since = performance.now();
  document.execCommand('insertText', false, 'lease');
  await new Promise(requestAnimationFrame);
  expect(performance.now() - since).toBeLessThan(250);
  await expect.element(page.getByRole('searchbox')).toHaveValue('lease');
  await expect.element(page.getByText('lease 49')).toBeVisible();
});
