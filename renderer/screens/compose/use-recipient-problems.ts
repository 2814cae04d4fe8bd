import { useQuery, useQueryClient } from '@tanstack/react-query';
import type { DraftContent, RecipientProblem } from '../../../contract/compose.ts';
import { askValue } from '../../bridge/client.ts';
import { useDebounced } from '../../parts/use-debounced.ts';
import { filledRows } from './composing.ts';

/** What is wrong with the people, by their place in the table; asked of the core whenever typing rests. */
export function useRecipientProblems(connectionId: string, content: DraftContent) {
  const client = useQueryClient();
  const rows = filledRows(content);
  const copies = content.kind === 'plain' ? [] : content.ccEmails.map((email) => email.trim()).filter(Boolean);
  const input = {
    connectionId,
    kind: content.kind,
    recipients: rows.map(({ name, email }) => ({ name, email })),
    ccEmails: copies,
    ownerSigns: content.ownerSigns,
  };
  const query = (asked: typeof input) => ({
    queryKey: ['recipient-problems', asked],
    queryFn: () => askValue('compose.checkRecipients', asked),
    staleTime: Number.POSITIVE_INFINITY,
  });
  const still = useDebounced(JSON.stringify(input), 400);
  const checked = useQuery({ ...query(JSON.parse(still) as typeof input), placeholderData: (before) => before });
  const problems: readonly RecipientProblem[] = (checked.data ?? []).map((problem) =>
    problem.list === 'recipients' && problem.index !== null
      ? { ...problem, index: rows[problem.index]?.index ?? null }
      : problem,
  );
  return {
    problems,
    /** Asks for what stands there this moment; true where something is an error. */
    now: async () => {
      const found = await client.fetchQuery(query(input));
      return found.some((problem) => problem.severity === 'error');
    },
  };
}

export type Problems = ReturnType<typeof useRecipientProblems>;
