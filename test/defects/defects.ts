/** One wrong change to the product that a test must find. */
export interface Defect {
  readonly area: 'ledger' | 'wire' | 'team' | 'screens';
  /** What would go wrong for people. */
  readonly name: string;
  readonly file: string;
  /** Stands exactly once in the file. */
  readonly find: string;
  readonly replace: string;
  /** The test file of the short run that must fail. */
  readonly foundBy: string;
}

/**
 * Twenty defects, five for each area on which most depends. They hold the power of the short run: a test that is shortened or moved must not let one of them pass.
 * `npm run test:defects` makes one after another and expects that its test fails.
 */
export const defects: readonly Defect[] = [
  {
    area: 'ledger',
    name: 'a request that had left when its program was killed is sent again',
    file: 'electron/store/jobs/adopt-jobs.ts',
    find: "AND state = 'sending' AND departed_at IS NOT NULL`",
    replace: "AND state = 'sending' AND departed_at IS NULL`",
    foundBy: 'test/faults/jobs-kill.test.ts',
  },
  {
    area: 'ledger',
    name: 'a departure is in the database only, and lost with it',
    file: 'electron/store/jobs/jobs.ts',
    find: 'departures.write(departed);',
    replace: 'void departures;',
    foundBy: 'test/faults/ledger-older.test.ts',
  },
  {
    area: 'ledger',
    name: 'a request leaves although its departure could not be recorded',
    file: 'electron/core/jobs/send-job.ts',
    find: 'live.controller.abort();',
    replace: '',
    foundBy: 'test/core/jobs-departure.test.ts',
  },
  {
    area: 'ledger',
    name: 'words of an error that name no document count as registered',
    file: 'electron/core/jobs/send-job.ts',
    find: 'if (!showsSuccess(operation, answer)) {',
    replace: "if (operation === 'AddQuickNote' && !showsSuccess(operation, answer)) {",
    foundBy: 'test/core/jobs-doubt.test.ts',
  },
  {
    area: 'ledger',
    name: 'what a person has paused is sent',
    file: 'electron/core/jobs/scheduler.ts',
    find: 'while (!queue.closing.aborted && !queue.pause.isOn()) {',
    replace: 'while (!queue.closing.aborted) {',
    foundBy: 'test/core/jobs-queue.test.ts',
  },
  {
    area: 'wire',
    name: 'a document in the URL alphabet is decoded as if it were base64',
    file: 'electron/soap/reply/base64-decoding.ts',
    find: 'return part.includes(dash) || part.includes(underscore);',
    replace: 'return part.length < 0 && part.includes(dash + underscore);',
    foundBy: 'test/unit/soap/scanner.test.ts',
  },
  {
    area: 'wire',
    name: 'an add whose answer was lost counts as not sent',
    file: 'electron/soap/request/settle-failure.ts',
    find: "operations[operation].effect === 'add' &&",
    replace: "operations[operation].effect !== 'add' &&",
    foundBy: 'test/unit/soap/transfers.test.ts',
  },
  {
    area: 'wire',
    name: 'the SOAPAction of SOAP 1.1 has no quotes',
    file: 'electron/soap/request/envelope.ts',
    find: 'SOAPAction: action };',
    replace: 'SOAPAction: action.slice(1, -1) };',
    foundBy: 'test/unit/soap/wire-bytes.test.ts',
  },
  {
    area: 'wire',
    name: 'a document name can write markup into the request',
    file: 'electron/soap/request/envelope.ts',
    find: 'return text.replace(',
    replace: "return text.startsWith('<![CDATA[') ? text : text.replace(",
    foundBy: 'test/unit/soap/traps.test.ts',
  },
  {
    area: 'wire',
    name: 'a peer that sends a byte now and then holds a call for ever',
    file: 'electron/soap/wire/watchdog.ts',
    find: "pace.arm(paceLeftMs, 'reply-too-slow');",
    replace: 'void paceLeftMs;',
    foundBy: 'test/unit/soap/hostile-replies.test.ts',
  },
  {
    area: 'team',
    name: 'a document is sent although a colleague has claimed it',
    file: 'electron/core/team/claims.ts',
    find: "if ((await make(joined, asked)).has(asked.claim.claimId)) return { result: 'won' };",
    replace: "if (await make(joined, asked)) return { result: 'won' };",
    foundBy: 'test/team/claims.test.ts',
  },
  {
    area: 'team',
    name: 'a register that was restored to yesterday goes unnoticed',
    file: 'electron/core/team/follow-feed.ts',
    find: 'if (!state.is_known) {',
    replace: 'if (!state.is_known && state.is_restored) {',
    foundBy: 'test/team/trouble.test.ts',
  },
  {
    area: 'team',
    name: 'changes of the same moment get the same position',
    file: 'electron/core/team/feed.ts',
    find: 'next_position - row_number() OVER ()',
    replace: 'next_position - 2',
    foundBy: 'test/team/following.test.ts',
  },
  {
    area: 'team',
    name: 'a claim from before a sleep still lets a document leave',
    file: 'electron/core/team/ask-claim.ts',
    find: 'Date.now() - dateAt) < heldForMs',
    replace: 'Date.now() - dateAt) >= 0',
    foundBy: 'test/team/claims.test.ts',
  },
  {
    area: 'team',
    name: 'a decision about one document counts for every other claim',
    file: 'electron/core/team/ask-claim.ts',
    find: "const isDecided = job.duplicates === 'send' && isDecidedOn(job.duplicateOf, answer.with);",
    replace: "const isDecided = job.duplicates !== 'send' || isDecidedOn(job.duplicateOf, answer.with);",
    foundBy: 'test/team/claims.test.ts',
  },
  {
    area: 'screens',
    name: 'the first answer overwrites what happened meanwhile',
    file: 'renderer/bridge/read-told.ts',
    find: 'return changes.reduce<T>((before, change) => change(before), answer);',
    replace: 'return changes.length > 1 ? changes.reduce<T>((before, change) => change(before), answer) : answer;',
    foundBy: 'test/components/live-state.test.tsx',
  },
  {
    area: 'screens',
    name: 'a request is sent anyway before it is known whom that mails',
    file: 'renderer/features/jobs/repeats.tsx',
    find: 'isDisabled={!(isDocument || preview.data)}',
    replace: 'isDisabled={false}',
    foundBy: 'test/components/send-selected.test.tsx',
  },
  {
    area: 'screens',
    name: 'a request shows as signed by everybody',
    file: 'renderer/features/signature-queries.ts',
    find: 'const [signed, shown] = [format.number(of.signedCount), format.number(of.signerCount)];',
    replace: 'const [signed, shown] = [format.number(of.signerCount), format.number(of.signerCount)];',
    foundBy: 'test/components/request-rows.test.tsx',
  },
  {
    area: 'screens',
    name: 'a changed file looks confirmed',
    file: 'renderer/screens/verify/verdict-tones.ts',
    find: "'not-confirmed': { tone: 'refused' },",
    replace: "'not-confirmed': { tone: 'confirmed' },",
    foundBy: 'test/unit/verdict-colours.test.ts',
  },
  {
    area: 'screens',
    name: 'a second press of a double click dismisses what was just cancelled',
    file: 'renderer/parts/button.tsx',
    find: 'performance.now() - shownAt < doubleClickMs',
    replace: 'performance.now() - shownAt < 0',
    foundBy: 'test/components/job-actions.test.tsx',
  },
];
