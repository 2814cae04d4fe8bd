import { createHash } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { createFindAny, everySign } from '../../electron/core/foundation/find-any.ts';
import type { LogFields } from '../../electron/core/foundation/ports.ts';
import {
  createRedactor,
  redactingLog,
  redactionOf,
  redactNamed,
  secretWordsHidden,
} from '../../electron/core/foundation/redactor.ts';
import { someEscape, unitsOf, withoutReferences } from '../../electron/core/foundation/text-readings.ts';
import { encodingsOf } from '../harness/encodings.ts';
import { leastProcessorMs } from '../harness/processor-time.ts';
import { sampled } from '../harness/test-length.ts';

const secret = 'K3y+of/An "Account" & more';
const redact = redactionOf([secret, 'another-one']);

/** The secret with every character in this form. */
function everyAs(write: (code: number) => string): string {
  return [...secret].map((character) => write(character.charCodeAt(0))).join('');
}

describe('redaction', () => {
  it.each([
    ['as it is', secret],
    ['in other case', secret.toUpperCase()],
    ['in a URL', encodeURIComponent(secret)],
    ['in a URL, lower case', encodeURIComponent(secret).toLowerCase()],
    ['in markup', 'K3y+of/An &quot;Account&quot; &amp; more'],
    ['in JSON', JSON.stringify(secret).slice(1, -1)],
    ['in a URL, every character', everyAs((code) => `%${code.toString(16)}`)],
    ['in a URL, twice', encodeURIComponent(encodeURIComponent(secret))],
    ['in markup, twice', 'K3y+of/An &amp;quot;Account&amp;quot; &amp;amp; more'],
    ['in decimal references', everyAs((code) => `&#${code};`)],
    ['in hexadecimal references', everyAs((code) => `&#x00${code.toString(16)};`)],
    ['in references, some characters', secret.replace('f', '&#102;')],
    ['in escapes of JSON', everyAs((code) => `\\u${code.toString(16).padStart(4, '0')}`)],
    [
      'in hex with signs between',
      Buffer.from(secret)
        .toString('hex')
        .replace(/..(?!$)/g, '$&:'),
    ],
    ['in hex of UTF-16', Buffer.from(secret, 'utf16le').toString('hex')],
    ['in hex', Buffer.from(secret).toString('hex').toUpperCase()],
    ['with a sign in it that nobody sees', `${secret.slice(0, 4)}\u200b${secret.slice(4, 8)}\u00ad${secret.slice(8)}`],
    ['with a selector behind a letter', `${secret.slice(0, 4)}\ufe0f${secret.slice(4)}`],
    ['with other spaces', secret.replaceAll(' ', '\u00a0')],
    ['broken into lines', secret.replace(/.{10}/g, '$&\n')],
    ['the other secret', 'ANOTHER-ONE'],
  ])('removes a secret %s', (_form, text) => {
    expect(redact(`before ${text} behind`)).toBe('before ••• behind');
  });
  it.each(Object.entries(encodingsOf(secret)))('removes it written %s, in any case of its letters', (_how, text) => {
    const texts = [text, ...Object.values(encodingsOf(secret.toLowerCase())), JSON.stringify(text)];
    for (const one of texts) {
      const left = redact(`before ${one} behind`);
      expect(left).toContain('•••');
      expect(left.length).toBeLessThan('before ••• behind'.length + 10);
    }
  });
  it.each([0, 1, 2, 3, 4, 5])('removes what base64 tells of it, %i bytes into the text', (offset) => {
    for (const encoding of ['base64', 'base64url'] as const) {
      const encoded = Buffer.from(`${'x'.repeat(offset)}${secret}:rest`).toString(encoding);
      const left = Buffer.from(redact(encoded).split('•••')[0] ?? '', encoding).toString('latin1');
      expect(redact(encoded)).toContain('•••');
      expect(left.slice(offset).length).toBeLessThanOrEqual(1);
    }
  });
  it('leaves other texts, and does not look for what is too short to be a secret', () => {
    expect(redact('an account of another kind')).toBe('an account of another kind');
    expect(redactionOf(['', 'abc'])('abcdef')).toBe('abcdef');
  });
  it('takes no longer for a text that could nearly be one', () => {
    const hostile = ['\\', '%25', '&amp;', '&#0', 'K3y+of/An ', '<a ', '\na', '&a1', '</a>\nb: '].map((piece) =>
      piece.repeat(200_000),
    );
    const since = performance.now();
    for (const text of hostile.map((one) => `${one}.`)) expect(redact(text)).toBe(text);
    // Under half a second; without end if the pattern tried every way to read them.
    expect(performance.now() - since).toBeLessThan(20_000);
  });
  it('finds a secret that stands where one looked-at part of a long text ends and the next begins', () => {
    const written = encodingsOf(secret);
    for (const form of sampled(Object.values(written), { short: 5, ci: 2 })) {
      for (const before of [131_060, 131_072 - form.length, 131_071, 131_072]) {
        const left = redact(`${'\n'.repeat(before)}${form}${'\n'.repeat(5)}`);
        expect(left).toContain('•••');
        expect(left.length).toBeLessThan(before + 20);
      }
    }
  });
  it.each(Object.entries(encodingsOf('aQ8/kEy+of_An4ccount.that-is:Long77')))(
    'hides what is left of one written %s where a text was cut, in quotes and at its end',
    (_how, form) => {
      const clean = redactionOf(['aQ8/kEy+of_An4ccount.that-is:Long77']);
      for (let units = form.length >> 1; units < form.length; units += 1) {
        const left = form.slice(0, units);
        for (const text of [clean(`said ${left}`), clean(`said "${left}…"; more`)]) {
          expect(text, left).toContain('•••');
          expect(text.length, text).toBeLessThan('said "•••…"; more'.length + 30);
        }
      }
      expect(clean('said aQ8/k')).toBe('said aQ8/k');
    },
  );
  it.each([
    ['a replaced character', 'aB3-dE6', 'aB3-\ufffddE6'],
    ['a replaced character in letters of no alphabet of ours', 'Ключ-Секрет', 'Ключ\ufffd-Секрет'],
    ['dashes, in such letters', 'Ключ-Секрет', 'К-л-ю-ч С-е-к-р-е-т'],
    ['a sign that quotes leave out', 'kQ7z+Pw/91xT', 'kQ7z…+Pw/91xT'],
  ])('finds a secret with %s between its characters', (_what, one, text) => {
    expect(redactionOf([one])(`before ${text} behind`)).toBe('before ••• behind');
  });
  it('compares letters and digits alone only where a secret has eight of them', () => {
    expect(redactionOf(['a-b-c-d-e-f-g'])('abcdefg a b c d e f g')).toBe('abcdefg a b c d e f g');
    expect(redactionOf(['a-b-c-d-e-f-g-h'])('(abcdefg) (h) and abcdefg')).toBe('(•••) and abcdefg');
  });
  it('learns secrets of the run', () => {
    const { learn, redact: clean } = createRedactor();
    expect(clean('the word is open-sesame')).toBe('the word is open-sesame');
    learn('open-sesame');
    expect(clean('the word is Open-Sesame')).toBe('the word is •••');
  });
});

describe('many secrets', () => {
  const long = Array.from({ length: 40 }, (_, at) =>
    createHash('sha512').update(String(at)).digest('base64').slice(0, 64),
  );
  const line = 'C:\\Users\\someone\\Documents\\a file.pdf could not be read'.repeat(5);
  /** Processor time of 20 lines, the first with what has to be made for it. */
  function costOf(count: number): Promise<number> {
    return leastProcessorMs(5, () => {
      const clean = redactionOf(long.slice(0, count));
      for (let times = 0; times < 20; times += 1) expect(clean(line)).toBe(line);
    });
  }
  it('are all found in every encoding', () => {
    const clean = redactionOf(long);
    for (const [at, one] of long.entries())
      for (const form of Object.values(encodingsOf(one)))
        expect(clean(`${at} before ${form} behind`)).toMatch(/^\d+ before \0?•••.{0,8} behind$/);
  });
  it('cost no more than their number: forty of 64 characters at most six times what ten cost, and less than half a second', async () => {
    await costOf(10);
    const [ten, forty] = [await costOf(10), await costOf(40)];
    expect(forty / ten).toBeLessThan(6);
    expect(forty).toBeLessThan(500);
  });
  it('are never in an error: what cannot be cleaned is hidden as a whole', () => {
    const broken = {
      [Symbol.toPrimitive]: () => {
        throw new Error(secret);
      },
    };
    expect(redact(broken as unknown as string)).toBe('•••');
  });
});

describe('redaction by name', () => {
  it.each([
    ['apiKey=abc123', 'apiKey=•••'],
    ['API_SIG: abc123, more', 'API_SIG: •••, more'],
    ['{"password":"abc123","at":1}', '{"password":"•••","at":1}'],
    ['{\\"secretWord\\": \\"abc123\\"}', '{\\"secretWord\\": \\"•••\\"}'],
    ['<ns:apiSig>abc123</ns:apiSig>', '<ns:apiSig>•••</ns:apiSig>'],
    ['Authorization: Basic QWxhZGRpbjpv', 'Authorization: Basic •••'],
    ["token='abc123'", "token='•••'"],
  ])('hides the value in %s', (text, clean) => {
    expect(redactNamed(text)).toBe(clean);
  });

  it('leaves sentences about secrets, and requests for signatures', () => {
    for (const text of ['the credentials were rejected', 'signature requests: 3 sent', 'no keychain, no token'])
      expect(redactNamed(text)).toBe(text);
  });

  it('holds for fields of the log of any depth, and for their names', () => {
    const lines: unknown[] = [];
    const write = (message: string, fields?: LogFields) => lines.push([message, fields]);
    const log = redactingLog({ debug: write, info: write, warn: write, error: write }, redact);
    log.warn(`sent ${secret}`, { apiKey: 'x', deep: [{ Password: 'y', note: 'token=abcdef' }], [secret]: 7, count: 2 });
    expect(lines).toEqual([
      ['sent •••', { apiKey: '•••', deep: [{ Password: '•••', note: 'token=•••' }], '•••': 7, count: 2 }],
    ]);
  });
});

describe('secret words that a text names', () => {
  const clean = secretWordsHidden('Kennwort');
  it.each([
    ['<r><SecretWord>GE HEIM</SecretWord><Name>n</Name></r>', '<r><SecretWord>•••</SecretWord><Name>n</Name></r>'],
    ['<a:secretWord xsi:type="s">GE<!-- c -->HEIM</a:secretWord>', '<a:secretWord xsi:type="s">•••</a:secretWord>'],
    ['<SecretWord><![CDATA[GE<>HEIM]]></SecretWord>', '<SecretWord>•••</SecretWord>'],
    ['&lt;SecretWord&gt;GE&amp;amp;HEIM&lt;/SecretWord&gt; x', '&lt;SecretWord&gt;•••&lt;/SecretWord&gt; x'],
    [
      '&amp;lt;SecretWord&amp;gt;GE&amp;lt;/SecretWord&amp;gt; x',
      '&amp;lt;SecretWord&amp;gt;•••&amp;lt;/SecretWord&amp;gt; x',
    ],
    ['<SecretWord>GEHEI', '<SecretWord>•••'],
    ['<SecretWord/><Name>n</Name>', '<SecretWord/><Name>n</Name>'],
    ['<s SecretWord="GE, HEIM" Name="n"/>', '<s SecretWord="•••" Name="n"/>'],
    ["<s Kennwort = 'x' Name='n'/>", "<s Kennwort = '•••' Name='n'/>"],
    ['{"SecretWord": "GE\\"HEIM", "Name": "n"}', '{"SecretWord": "•••", "Name": "n"}'],
    ['{\\"secret_word\\":\\"GEHEIM\\",\\"n\\":1}', '{\\"secret_word\\":\\"•••\\",\\"n\\":1}'],
    ['{"SecretWord":1234,"Name":"n"}', '{"SecretWord":•••,"Name":"n"}'],
    ['%22SecretWord%22%3A%22GE%20HEIM%22%7D', '%22SecretWord%22%3A%22•••%22%7D'],
    ['Name: n\nSecret word: GE HEIM\nEmail: e', 'Name: n\nSecret word: •••\nEmail: e'],
  ])('are hidden in %s', (text, hidden) => {
    expect(clean(text)).toBe(hidden);
  });
  it('leaves sentences about them, and takes no longer for what could nearly be one', () => {
    const sentence = 'the secret word is missing, and no secretWord was expected; Kennwort fehlt';
    expect(clean(sentence)).toBe(sentence);
    const since = performance.now();
    for (const piece of [
      '<SecretWord ',
      '<SecretWord>x</',
      '"SecretWord":"',
      'SecretWord=\\"',
      'SecretWord="x\n',
      'secret word ',
    ])
      clean(piece.repeat(100_000));
    // Under half a second; without end if each beginning was tried with each end.
    expect(performance.now() - since).toBeLessThan(20_000);
  });
  it('are hidden wherever they stand in a long text', () => {
    for (const before of [131_050, 131_065, 131_072]) {
      const left = clean(`${'\n'.repeat(before)}<SecretWord>GEHEIM</SecretWord>${'\n'.repeat(9)}`);
      expect(left).not.toMatch(/GE|EI|IM/);
      expect(left).toHaveLength(before + 9 + '<SecretWord>•••</SecretWord>'.length);
    }
  });
});

describe('a quick look at XML', () => {
  it('sees a secret whose own signs are written as references', () => {
    const { isNeeded } = redactionOf(['key&word<1']);
    expect(isNeeded?.('<Name>key&amp;word&lt;1</Name>')).toBe(true);
    expect(isNeeded?.('<Name>key &amp; word</Name>')).toBe(false);
  });

  it('sees a secret and a dump of bytes beside references and in long texts', () => {
    const { isNeeded } = redactionOf(['secret-word']);
    const long = '<Name>Person &amp; Sons</Name>'.repeat(5_000);
    expect(isNeeded?.(long)).toBe(false);
    for (const hidden of ['SECRET-word', '73 65 63 72 65 74 2d 77 6f 72 64', '&amp;secret-word&amp;'])
      expect(isNeeded?.(`${long}${hidden}${long}`)).toBe(true);
  });

  it('sees whatever the full look removes from a value without escapes, wherever it stands in a text', () => {
    const secrets = ['bench-key', 'K3y+of/An_Account', 'ünï-wörd', 'a b c d e'];
    const full = redactionOf(secrets);
    const around = [
      '',
      ' ',
      '&amp; ',
      '12 34 56 ',
      '3f2504e0-4f89-41d3-9a0c-0305e82c3301 ',
      '123456789 ',
      '2026-11-21T03:20 ',
    ];
    let seen = 0;
    for (const form of secrets.flatMap((one) => Object.values(encodingsOf(one))))
      for (const before of around)
        for (const behind of sampled(around, { short: 5, ci: 2 })) {
          const value = `${before}${form}${behind.trimStart()}`;
          // The value that is passed on.
          const read = withoutReferences(value);
          if (full(read) === read || someEscape.test(read)) continue;
          seen += 1;
          for (let fill = 0; fill < 9; fill += 1)
            expect(full.isNeeded?.(`<Name>${'x'.repeat(fill)}</Name><Name>${value}</Name>`), value).toBe(true);
        }
    expect(seen).toBeGreaterThan(100);
  });

  it('resolves each reference once, and leaves what is none', () => {
    expect(withoutReferences('a &amp;lt; b &lt;&gt; &quot;&apos; &amp &nbsp; &')).toBe(`a &lt; b <> "' &amp &nbsp; &`);
  });
});

describe('the search for many forms at once', () => {
  /** What it is to find, by the plain definition: at each place the longest form whose characters come next, among those that count. */
  function plainly(forms: readonly string[], text: string, isPassed: (sign: string) => boolean): [number, number][] {
    const places = [...text.split('').keys()].filter((at) => !isPassed(text.charAt(at)));
    const fold = (one: string) => one.toLowerCase().replaceAll('-', '+').replaceAll('_', '/');
    const read = fold(places.map((at) => text.charAt(at)).join(''));
    const longestFirst = forms.map(fold).sort((a, b) => b.length - a.length);
    const found: [number, number][] = [];
    for (let at = 0; at < read.length; ) {
      const length = longestFirst.find((form) => read.startsWith(form, at))?.length;
      if (length) found.push([places[at] as number, (places[at + length - 1] as number) + 1]);
      at += length ?? 1;
    }
    return found;
  }

  it.each([
    ['of all characters', ''],
    ['of letters, whatever stands between', ' -\0\u200b'],
  ])('finds what its plain definition says: %s', (_what, passed) => {
    const state = { seed: 7 };
    const below = (most: number) => {
      state.seed = (state.seed * 1_103_515_245 + 12_345) % 2 ** 31;
      return Math.floor((state.seed / 2 ** 31) * most);
    };
    const textOf = (signs: string, length: number) =>
      Array.from({ length }, () => signs.charAt(below(signs.length))).join('');
    const signs = everySign.map((sign, code) => (passed.includes(String.fromCharCode(code)) ? 0 : sign));
    let found = 0;
    for (let run = 0; run < 2_000; run += 1) {
      const alphabet = ['ab', 'aBü', 'abcdef012/_', 'aÜ\ud83d\udd11Ж'][below(4)] as string;
      const forms = Array.from({ length: 1 + below(5) }, () => textOf(alphabet, 3 + below(20)));
      const some = Array.from({ length: below(6) }, () => [
        textOf(`${alphabet}${alphabet.toUpperCase()}`, below(9)),
        [...(forms[below(forms.length)] as string)].join(textOf(` -\0\u200b`, below(3) * below(2))).slice(below(2)),
        textOf(' -\0\u200b', below(12)),
      ]);
      const text = some.flat().join('');
      const seen: [number, number][] = [];
      createFindAny(forms, signs)(unitsOf(text), (from, to) => seen.push([from, to]));
      const expected = plainly(forms, text, (sign) => passed.includes(sign));
      if (JSON.stringify(seen) !== JSON.stringify(expected))
        expect({ forms, text, seen }).toEqual({ forms, text, seen: expected });
      found += seen.length;
    }
    expect(found).toBeGreaterThan(1_000);
  });
});
