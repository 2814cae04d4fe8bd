import type { Notice } from '../../contract/app.ts';
import type { Ask } from '../../contract/index.ts';

/** Remarks for notices about the register that matter before anything is sent. */
const remarks: Readonly<Partial<Record<Notice['kind'], (fileName: string | null) => string>>> = {
  'database-set-aside': (fileName) =>
    `The register was damaged and is in ${fileName}: this one does not know what was sent before that. --skip-duplicates cannot see it.`,
  'database-incomplete': () =>
    'The register came back older than it was. What was sent and unknown to it is in doubt, or missing from it.',
  'database-restored': () =>
    'The register is older than what was sent from it. What waits in it is held until a person resumes it; --skip-duplicates does not see what was sent since.',
};

/** Sentences for stderr; empty if the register is complete. */
export async function ledgerRemarks(ask: Ask): Promise<readonly string[]> {
  const info = await ask('app.info', {});
  if (!info.ok) return [];
  return info.value.notices.flatMap(({ kind, fileName }) => remarks[kind]?.(fileName) ?? []);
}
