import { useCallback, useEffect, useRef, useState } from 'react';
import type { Duplicate, DuplicateCheck } from '../../../contract/documents.ts';
import type { Failure } from '../../../contract/failure.ts';
import { ask, listen } from '../../bridge/client.ts';

export type DuplicateDecision = 'skip' | 'send';

const perRead = 500;

/**
 * Looks once whether files of an intake are registered already, and keeps what is decided about each. What is not decided, the queue asks
 * about again (`otherwise: 'ask'`).
 */
export function useDuplicates(connectionId: string, intakeId: string, corrects?: string) {
  const [check, setCheck] = useState<DuplicateCheck | null>(null);
  const [found, setFound] = useState<readonly Duplicate[]>([]);
  const [failure, setFailure] = useState<Failure | null>(null);
  const [decisions, setDecisions] = useState<ReadonlyMap<number, DuplicateDecision>>(new Map());
  const checkId = useRef<string | null>(null);

  useEffect(() => {
    let isGone = false;
    const early: DuplicateCheck[] = [];
    const take = async (told: DuplicateCheck) => {
      if (isGone) return;
      if (told.state === 'running') return setCheck(told);
      const read = await readAll(told.checkId);
      if (isGone) return;
      setFound(read.found);
      setFailure(read.failure);
      setCheck(told);
    };
    const stop = listen('documents.duplicatesChecked', (told) => {
      if (checkId.current === null) early.push(told);
      else if (told.checkId === checkId.current) void take(told);
    });
    void ask('documents.checkDuplicates', { connectionId, intakeId, ...(corrects ? { corrects } : {}) }).then(
      (begun) => {
        if (!begun.ok) return isGone ? undefined : setFailure(begun.failure);
        if (isGone) return void ask('documents.cancelCheck', { checkId: begun.value.checkId });
        checkId.current = begun.value.checkId;
        const last = early.filter((told) => told.checkId === begun.value.checkId).at(-1);
        void take(last ?? begun.value);
      },
    );
    return () => {
      isGone = true;
      stop();
      if (checkId.current !== null) void ask('documents.cancelCheck', { checkId: checkId.current });
      checkId.current = null;
    };
  }, [connectionId, intakeId, corrects]);

  const stop = useCallback(() => {
    if (checkId.current !== null) void ask('documents.cancelCheck', { checkId: checkId.current });
  }, []);
  const decisionOf = (index: number): DuplicateDecision => decisions.get(index) ?? 'skip';
  const skip = found.filter(({ index }) => decisionOf(index) === 'skip').map(({ index }) => index);
  return {
    check,
    found,
    failure,
    stop,
    /** Nothing more is coming: found, none, stopped, or it could not be looked for. */
    isOver: failure !== null || (check !== null && check.state !== 'running'),
    decisionOf,
    decide: (index: number, decision: DuplicateDecision) =>
      setDecisions((before) => new Map(before).set(index, decision)),
    decideAll: (decision: DuplicateDecision) => setDecisions(new Map(found.map(({ index }) => [index, decision]))),
    skip,
    send: found.filter(({ index }) => decisionOf(index) === 'send').map(({ index }) => index),
  } as const;
}

async function readAll(checkId: string): Promise<{ found: readonly Duplicate[]; failure: Failure | null }> {
  const found: Duplicate[] = [];
  for (;;) {
    const page = await ask('documents.duplicates', { checkId, offset: found.length, limit: perRead });
    if (!page.ok) return { found, failure: page.failure };
    found.push(...page.value.duplicates);
    if (page.value.duplicates.length < perRead) return { found, failure: null };
  }
}
