import { describe, expect, it } from 'vitest';
import { commandLinePage } from '../../../scripts/man-pages.ts';

const overview = `Usage: tool COMMAND [options]

Options:
  -h, --help  this help

Commands:
  register    Registers documents: files, and
              folders with all below them.
  sign-later  Asks people.
  help        the help of a command

Examples
  tool register a.pdf
`;

describe('the page of the command line for man', () => {
  const page = commandLinePage('1.2.3', {
    '': overview,
    register: "Usage: tool register\n\n.dots and it's \\ here\n",
    'sign-later': 'Usage: tool sign-later\n',
  });

  it('has a part for every command that the help names', () => {
    expect(page.match(/^\.SS .*$/gm)).toEqual(['.SS register', '.SS sign\\-later']);
    expect(page).toContain('"Sealdesk 1.2.3"');
  });

  it('writes dashes, apostrophes, backslashes and dots as they are typed', () => {
    expect(page).toContain('\\&.dots and it\\(aqs \\e here');
    expect(page).toContain('  \\-h, \\-\\-help  this help');
  });
});
