import type { VerdictGroup } from '../../../../contract/answer.ts';
import type { ComparisonState, FileChange, VerdictReason } from '../../../../contract/verify.ts';

/** The sentences of the printed report, in English like all that the core writes. */
export const groupWords: Readonly<Record<VerdictGroup, { readonly title: string; readonly text: string }>> = {
  'not-confirmed': {
    title: 'Not confirmed',
    text: 'The service was asked and did not confirm these files. What it said stands beside each of them; why it said so is for the service to tell.',
  },
  unclear: {
    title: 'Unclear answer',
    text: 'The service answered, but what it said is not in the table of answers, or leaves open what it means. Neither confirmed nor not confirmed.',
  },
  'no-answer': {
    title: 'No answer',
    text: 'Nothing is known about these files: the service gave no answer about them, or they could not be read. This says nothing about the files.',
  },
  'confirmed-with-remark': {
    title: 'Confirmed, with a remark',
    text: 'The service confirmed these files and added a remark.',
  },
  confirmed: { title: 'Confirmed', text: 'The service confirmed these files.' },
};

export const changeWords: Readonly<Record<FileChange, string>> = {
  new: 'New',
  altered: 'Altered: other bytes than last time',
  gone: 'Gone',
  'verdict-changed': 'Same bytes, another answer',
  unchanged: 'Unchanged',
};

export const copyWords: Readonly<Record<ComparisonState, string>> = {
  comparing: 'being compared',
  same: 'byte for byte the same as the copy that the service hands out',
  different: 'not the same bytes as the copy that the service hands out (it may hand out a stamped one)',
  'no-copy': 'the service hands out no copy',
  'no-answer': 'the copy could not be fetched',
  stopped: 'the comparison was stopped',
};

export const reasonWords: Readonly<Record<VerdictReason, string>> = {
  'sorted-word': '',
  'unsorted-word': 'nobody has sorted this answer yet',
  'empty-answer': 'the answer was empty',
  'open-code': 'a code that leaves it open',
  'unexamined-code': 'the service did not look at the file',
  fault: 'the service answered with a fault',
  'not-a-reply': 'something answered, but not the service',
  unreachable: 'the service could not be reached',
  'too-late': 'the service did not answer in time',
  'not-connected': 'credentials are missing or were not accepted',
  file: 'the file could not be read, or changed meanwhile',
  program: 'something went wrong on this computer',
};
