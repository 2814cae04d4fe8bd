import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import type { DraftContent, RecipientProblem } from '../../../contract/compose.ts';
import { askValue } from '../../bridge/client.ts';
import { useDebounced } from '../../parts/hooks/use-debounced.ts';
import { filledRows } from './draft-state.ts';

/** Problems of the recipients by position in the table; the core is asked whenever typing pauses. */
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
  const typed = JSON.stringify(input);
  const still = useDebounced(typed, 400);
  // What was checked at once is shown at once: the first error of it gets the focus.
  const [wanted, setWanted] = useState<string | null>(null);
  const shown = wanted === typed ? typed : still;
  const checked = useQuery({ ...query(JSON.parse(shown) as typeof input), placeholderData: (before) => before });
  const problems: readonly RecipientProblem[] = (checked.data ?? []).map((problem) =>
    problem.list === 'recipients' && problem.index !== null
      ? { ...problem, index: rows[problem.index]?.index ?? null }
      : problem,
  );
  return {
    problems,
    /** Checks the current input at once; true if there is an error. */
    now: async () => {
      setWanted(typed);
      const found = await client.fetchQuery(query(input));
      return found.some((problem) => problem.severity === 'error');
    },
  };
}

export type Problems = ReturnType<typeof useRecipientProblems>;
