import { describe, expect, it } from 'vitest';
import { page } from 'vitest/browser';
import { Button } from '../../renderer/parts/button.tsx';
import { visibleName } from '../../renderer/parts/format.ts';
import { MiddleCut } from '../../renderer/parts/middle-cut.tsx';
import { removeAll, showPart } from './harness/show.tsx';
import { tags, textsIn } from './harness/texts.ts';

/** Names with signs that nobody would see, and what is shown of them. */
const names = [
  ['Lease \u202efdp.exe', 'Lease ‹U+202E›fdp.exe'],
  ['\u2066Annex\u2069.pdf', '‹U+2066›Annex‹U+2069›.pdf'],
  ['two\nlines\t.pdf', 'two‹U+000A›lines‹U+0009›.pdf'],
  ['bell\u0007 and delete\u007f.pdf', 'bell‹U+0007› and delete‹U+007F›.pdf'],
  ['C1\u0085 and separators\u2028\u2029.pdf', 'C1‹U+0085› and separators‹U+2028›‹U+2029›.pdf'],
] as const;

describe('names from a file system or a service', () => {
  it.each(names)('show the code of each sign that would not be seen (%#)', async (name, visible) => {
    expect(visibleName(name)).toBe(visible);
    const { box } = showPart(
      <p style={{ inlineSize: 900 }}>
        <MiddleCut text={name} />
      </p>,
    );
    await expect.poll(() => box.textContent).toContain(visible);
    expect(page.getByTitle(visible).elements()).toHaveLength(1);
  });

  it('stand as they are where every letter is seen, in scripts of both directions', () => {
    for (const name of ['Lease 2027 (final).pdf', 'Müller & Söhne.pdf', 'חוזה.pdf', 'عقد.pdf', '契約書👩‍👩‍👧.pdf'])
      expect(visibleName(name)).toBe(name);
  });

  it('are drawn from left to right however an override stands in them', async () => {
    const { box } = showPart(<MiddleCut text={'ab\u202ecd.pdf'} />);
    await expect.poll(() => box.textContent).toContain('ab‹U+202E›cd.pdf');
    // The place of each letter on the line, as it is drawn.
    const places = () => {
      const text = document.createTreeWalker(box, NodeFilter.SHOW_TEXT).nextNode() as Text;
      return Array.from(text.data, (_letter, at) => {
        const range = document.createRange();
        range.setStart(text, at);
        range.setEnd(text, at + 1);
        return range.getBoundingClientRect().left;
      });
    };
    expect(places()).toEqual(places().toSorted((a, b) => a - b));
  });

  it('leave all other words of a sentence, however often the name is among them', async () => {
    const name = `${'A long beginning of a name '.repeat(4)}.pdf`;
    const { box } = showPart(
      <div style={{ inlineSize: 300, display: 'flex' }}>
        <MiddleCut isSentence text={`${name} or ${name} again`} name={name} />
      </div>,
    );
    await expect.poll(() => box.textContent).toContain('…');
    expect(box.querySelector('[aria-hidden]')?.textContent).toMatch(/^A long.+again$/);
  });

  it('keep the code whole where a name is cut to its room', async () => {
    const { box } = showPart(
      <div style={{ inlineSize: 160, display: 'flex' }}>
        <MiddleCut text={`${'A long beginning of a name '.repeat(4)}\u202efdp.exe`} />
      </div>,
    );
    await expect.poll(() => box.textContent).toContain('…');
    expect(box.textContent).not.toContain('\u202e');
    expect(box.textContent).toContain('‹U+202E›fdp.exe');
  });

  it('show the beginning of an e-mail address, which tells people of one domain apart, in both directions of reading', async () => {
    for (const language of ['en', 'ar']) {
      const { box } = showPart(
        <div style={{ inlineSize: 120, display: 'flex' }}>
          <MiddleCut text="maximiliane.von-hohenstaufen@harbour-trading.example" />
        </div>,
        language,
      );
      await expect.poll(() => box.querySelector('[aria-hidden]')?.textContent).toMatch(/^maximilia\S*….*ple$/);
      await removeAll();
    }
  });

  it('make no button wider than its place', async () => {
    const who = 'maximiliane.von-hohenstaufen@harbour-trading.example';
    const { box } = showPart(
      <div style={{ inlineSize: 200 }}>
        <Button>
          <MiddleCut isSentence text={`Sign as ${who}`} name={who} />
        </Button>
      </div>,
    );
    await expect.poll(() => box.querySelector('[aria-hidden]')?.textContent).toMatch(/^Sign as max.*…/);
    expect(box.firstElementChild?.scrollWidth).toBe(200);
    await expect.element(page.getByRole('button', { name: `Sign as ${who}` })).toBeVisible();
  });

  it('keep their end where they stand in a sentence, in every language', async () => {
    const name = 'contract-2026-between-harbour-trading-and-farid-nasser-final-v2.pdf';
    for (const language of tags) {
      const sentence = textsIn(language).t('jobs.andMore', { title: name, count: 2, shown: '2' });
      const { box } = showPart(
        <div style={{ inlineSize: 330, display: 'flex' }}>
          <MiddleCut text={sentence} isSentence name={name} />
        </div>,
        language,
      );
      const seen = () => box.querySelector('[aria-hidden]')?.textContent ?? '';
      await expect.poll(seen, { message: language }).toMatch(/^.?contract-2026.*….*-v2\.pdf/);
      // What is said of it stays whole, and screen readers hear everything.
      expect(seen().split('.pdf')[1], language).toBe(sentence.split('.pdf')[1]);
      expect(page.getByTitle(sentence).element().firstElementChild?.textContent).toBe(sentence);
      await removeAll();
    }
  });
});
