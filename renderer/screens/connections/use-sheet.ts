import { type RefObject, useCallback, useEffect, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { Connection } from '../../../contract/connections.ts';
import type { Failure } from '../../../contract/failure.ts';
import { useConnection, useLive } from '../../bridge/live.tsx';
import { useCall } from '../../bridge/use-call.ts';
import type { Rejected } from '../../features/files/taken-files.tsx';
import { useFocusNext } from '../../parts/hooks/focus-and-scroll.ts';
import { accessOf, type TypedAccess, type TypedCredentials, untouchedAccess, wayOf } from './access-fields.tsx';
import { useDoctor } from './check-result.tsx';
import {
  type ConnectionDraft,
  draftOf,
  type ErrorAt,
  isInMore,
  newDraft,
  newDraftIn,
  settingsOf,
  useFieldErrors,
} from './connection-draft.ts';
import { type Sheet, useAddress, useDraft } from './use-address.ts';

/** What a person enters beside the settings. `isDirty`: something is not saved yet. */
type Entered = ReturnType<typeof enteredAt>;

const nothingTyped: TypedCredentials = { apiKey: '', apiSig: '' };

export interface SheetInput {
  /** Null for a new connection. */
  readonly connection: Connection | null;
  /** Token of a file with a WSDL to read. */
  readonly wsdl: string | null;
  /** Dropped files that could not be taken. */
  readonly rejected: readonly Rejected[];
  readonly onDone: (saved: Connection | null) => void;
}

/** The state of a sheet: its values, saving, the check after that, and the focus on errors. */
export function useSheet(input: SheetInput, area: RefObject<HTMLElement | null>) {
  const { i18n } = useTranslation();
  const { currentId } = useLive().connections;
  const [entered, setEntered] = useState(() => enteredAt(input.connection));
  /** Changes what was entered beside the settings. */
  const enter = (change: Partial<Entered>) => setEntered((before) => ({ ...before, isDirty: true, ...change }));
  const known = useRef(input.connection);
  const sheet = useDraft(() => (input.connection ? draftOf(input.connection) : newDraftIn(i18n.language)));
  const address = useAddress(sheet, (draft) => wayOf(entered.access, known.current, draft));
  const saving = useSaving({ connection: input.connection, sheet, address });
  const { saved, doctor, failure } = saving;
  const stored = useConnection(saved?.id ?? input.connection?.id ?? '');
  useEffect(() => {
    known.current = stored;
  }, [stored]);
  const fieldError = useFieldErrors(failure ?? address.failure);
  const now = { ...sheet.draft, baseUrl: address.baseUrl };
  const errorAt: ErrorAt = (path) => (isChanged(path, now, failure && saving.tried) ? undefined : fieldError(path));
  const focusError = useFocusError(failure, area);
  const practice = input.connection?.kind === 'practice';
  const failedStep = doctor.report?.steps.find(({ result }) => result === 'failed');
  const more = useMore(failure, address.failure ?? failedStep?.failure ?? null);
  useDroppedWsdl(input.wsdl, address.readFile);

  async function saveNow() {
    if (saving.busy || doctor.busy) return;
    const connection = await saving.saveNow(entered.typed, entered.access);
    if (!connection) return focusError();
    if (practice) return input.onDone(connection);
    enter({ typed: nothingTyped, access: untouchedAccess(connection), isDirty: false });
    await check(connection.id);
  }

  /** Checks the connection; new work goes to it only if it answers and has credentials. */
  async function check(id: string) {
    const report = await doctor.check(id);
    if (!report) return;
    if (report.steps.some(({ result }) => result === 'failed')) return focusError();
    const isTried = report.steps.some(({ step, result }) => step === 'credentials' && result !== 'not-tried');
    if (entered.useIt && isTried && id !== currentId) await saving.takeIntoUse(id);
  }

  return {
    draft: sheet.draft,
    address,
    entered,
    enter,
    set: (change: Partial<ConnectionDraft>) => {
      enter({});
      sheet.change((before) => ({ ...before, ...change }));
    },
    errorAt,
    failure,
    doctor,
    stored,
    practice,
    isInUse: stored?.id === currentId,
    isSaved: saved !== null && !entered.isDirty,
    busy: saving.busy || doctor.busy,
    more,
    saveNow,
    checkAgain: () => (stored ? check(stored.id) : undefined),
    takeIntoUse: () => (stored ? saving.takeIntoUse(stored.id) : undefined),
    close: () => input.onDone(saved),
  } as const;
}

const enteredAt = (connection: Connection | null) => ({
  typed: nothingTyped,
  access: untouchedAccess(connection),
  useIt: connection === null,
  isDirty: true,
});

/** An error is about what was tried: it goes when the field is changed. */
function isChanged(path: string, now: ConnectionDraft, tried: ConnectionDraft | null): boolean {
  const field = path.split('.')[0] as keyof ConnectionDraft;
  return tried !== null && now[field] !== tried[field];
}

/** The folded settings, which open where one of them fails. */
function useMore(saving: Failure | null, onTheWay: Failure | null) {
  const [open, onOpenChange] = useState(false);
  useEffect(() => {
    if (saving && isInMore(saving)) onOpenChange(true);
  }, [saving]);
  useEffect(() => {
    if (onTheWay && isInMore(onTheWay)) onOpenChange(true);
  }, [onTheWay]);
  return { open, onOpenChange };
}

/** Puts the focus on what is wrong, after each failure and when it is called. */
export function useFocusError(failure: Failure | null, area: RefObject<HTMLElement | null>): () => void {
  const focusNext = useFocusNext();
  const focusError = useCallback(() => focusNext(() => firstError(area.current)), [focusNext, area]);
  useEffect(() => {
    if (failure) focusError();
  }, [failure, focusError]);
  return focusError;
}

/** The first invalid field, else the summary of the error. */
function firstError(area: HTMLElement | null): HTMLElement | null | undefined {
  const find = (selector: string) => area?.querySelector<HTMLElement>(selector);
  return find('[aria-invalid="true"]') ?? find('[data-error-summary]');
}

/** Reads the file that was dropped on the sheet, once for each file. */
function useDroppedWsdl(token: string | null, read: (token: string) => Promise<boolean>) {
  // biome-ignore lint/correctness/useExhaustiveDependencies: a new function is no new file
  useEffect(() => {
    if (token !== null) void read(token);
  }, [token]);
}

interface Input {
  readonly connection: Connection | null;
  readonly sheet: Sheet;
  readonly address: ReturnType<typeof useAddress>;
}

/** Saves a sheet: first reads the address, then saves; the connection is checked and used after that. */
function useSaving({ connection, sheet, address }: Input) {
  const [saved, setSaved] = useState<Connection | null>(null);
  const [waiting, setWaiting] = useState(false);
  const [tried, setTried] = useState<ConnectionDraft | null>(null);
  const save = useCall('connections.save');
  const use = useCall('connections.use');
  const id = saved?.id ?? connection?.id ?? null;
  const doctor = useDoctor(id);

  /** Resolves with the saved connection; null if something has to be mended first. */
  async function saveNow(typed: TypedCredentials, access: TypedAccess): Promise<Connection | null> {
    setWaiting(true);
    const isRead = await address.take();
    setWaiting(false);
    if (!isRead) return null;
    const draft = sheet.latest();
    setTried(draft);
    const ended = await save.run({
      ...(id === null ? {} : { id }),
      settings: { ...settingsOf(draft), name: draft.name.trim() || hostOf(draft.baseUrl) },
      ...(typed.apiKey === '' && typed.apiSig === '' ? {} : { credentials: typed }),
      ...(connection?.kind === 'practice' ? {} : accessOf(access, saved ?? connection, draft.proxyMode)),
    });
    if (!ended.ok) return null;
    setSaved(ended.value);
    sheet.change(() => draftOf(ended.value));
    return ended.value;
  }

  const failure = save.failure ?? use.failure;
  const takeIntoUse = (which: string) => use.run({ id: which });
  return { saved, tried, saveNow, takeIntoUse, busy: waiting || save.busy || use.busy, failure, doctor } as const;
}

/** The name of a connection without one. Empty if there is no address yet, which the core reports. */
export function hostOf(baseUrl: string): string {
  return URL.canParse(baseUrl) && baseUrl !== newDraft.baseUrl ? new URL(baseUrl).host : '';
}
