import { describe, expect, it } from 'vitest';
import { page } from 'vitest/browser';
import { type Failure, failureCodes, failureDetails } from '../../contract/failure.ts';
import { FailureView } from '../../renderer/bridge/failure-view.tsx';
import { removeAll, showPart } from './harness/show.tsx';
import { tags, textsIn } from './harness/texts.ts';

/** Each code by itself, then each detail with a code that leaves the words to it. */
const failures: readonly Failure[] = [
  ...failureCodes.map((code) => ({ code, note: 'a note for support', retryable: false })),
  ...failureDetails.map((detail) => ({
    code: 'service-unreachable' as const,
    detail,
    note: 'a note for support',
    retryable: false,
    row: 47,
  })),
];
const nameOf = ({ code, detail }: Failure) => detail ?? code;

/** What stands on screen of each failure: its heading and what to do. */
async function shownIn(tag: string): Promise<ReadonlyMap<string, readonly [heading: string, advice: string]>> {
  showPart(
    failures.map((failure) => <FailureView key={nameOf(failure)} failure={failure} />),
    tag,
  );
  await expect.poll(() => page.getByRole('alert').elements().length).toBe(failures.length);
  const alerts = page.getByRole('alert').elements();
  return new Map(
    failures.map((failure, at) => {
      const [heading, advice] = alerts[at]?.querySelectorAll('p') ?? [];
      return [nameOf(failure), [heading?.textContent ?? '', advice?.textContent ?? '']];
    }),
  );
}

const repeated = (texts: readonly string[]) => texts.filter((text, at) => texts.indexOf(text) !== at);

describe.each(tags)('failures in the language %s', (tag) => {
  it('say what happened and what to do, each in words of its own', async () => {
    const shown = await shownIn(tag);
    expect(shown.size).toBe(failureCodes.length + failureDetails.length);
    for (const [name, [heading, advice]] of shown) {
      for (const text of [heading, advice]) {
        expect(text.length, name).toBeGreaterThan(5);
        expect(text, name).not.toMatch(/failures\.|\{\{|\$t\(/);
        expect(text, `${name} is shown as its name`).not.toContain(name.includes('-') ? name : 'failures');
        expect(text, `${name} shows the note for support`).not.toContain('a note for support');
      }
    }
    // A detail narrows a code, and may say in its heading what the code says.
    const headingsOf = (names: readonly string[]) => names.map((name) => shown.get(name)?.[0] ?? '');
    for (const headings of [headingsOf(failureCodes), headingsOf(failureDetails)])
      expect(repeated(headings)).toEqual([]);
    expect(repeated([...shown.values()].map((texts) => texts.join('\n')))).toEqual([]);
    expect(shown.get('table-quote')?.[0]).toContain('47');
    // Services say of a wrong namespace what they say of a missing action.
    const namespace = textsIn(tag).t('connections.namespaceUri').toLowerCase();
    expect(shown.get('soap-action-missing')?.map((text) => text.toLowerCase().includes(namespace))).toEqual([
      true,
      true,
    ]);
  });
});

describe.each(tags.filter((tag) => tag !== 'en'))('beside English, failures in the language %s', (tag) => {
  it('are all translated', async () => {
    const english = await shownIn('en');
    await removeAll();
    const shown = await shownIn(tag);
    const same = [...shown].filter(([name, [heading, advice]]) => {
      const [inEnglish, adviceInEnglish] = english.get(name) ?? [];
      return heading === inEnglish || advice === adviceInEnglish;
    });
    expect(same).toEqual([]);
  });
});

describe('a failure', () => {
  const failure: Failure = { code: 'outcome-unknown', detail: 'connection-lost', note: 'a note', retryable: false };

  it('keeps what it means for money where a detail would say less', async () => {
    showPart(<FailureView failure={failure} />);
    await expect.element(page.getByRole('alert')).toMatchTextContent(/No clear answer received/);
  });

  it('names the file it happened to, with signs that turn its letters round made visible', async () => {
    showPart(<FailureView failure={failure} subject={'Lease \u202efdp.exe'} />);
    await expect.element(page.getByRole('alert')).toMatchTextContent(/Lease ‹U\+202E›fdp\.exe/);
  });

  it('shows the service’s own words, and folds what is for support', async () => {
    showPart(
      <FailureView
        failure={{
          code: 'service-refused',
          note: 'a note',
          retryable: false,
          serviceCode: '-9',
          raw: 'No such credit',
        }}
      />,
    );
    await expect.element(page.getByText(/No such credit/).first()).toBeVisible();
    const technical = page.getByText(/service-refused/);
    await expect.element(technical).not.toBeVisible();
    await page
      .getByRole('button', { name: /echnical/ })
      .first()
      .click();
    await expect.element(technical).toBeVisible();
  });
});
