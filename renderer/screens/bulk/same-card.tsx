import { useQueryClient } from '@tanstack/react-query';
import { useEffect, useRef } from 'react';
import { useTranslation } from 'react-i18next';
import type { Failure } from '../../../contract/failure.ts';
import type { Draft } from '../../../contract/forms.ts';
import { FailureView } from '../../bridge/failure-view.tsx';
import { useCall, useChooseFile } from '../../bridge/use-call.ts';
import { Button } from '../../parts/button.tsx';
import { focusWhenDrawn } from '../../parts/hooks/focus-next.ts';
import looks from '../../parts/looks.module.css';
import { useGo } from '../../parts/navigation.tsx';
import { Card, Facts } from '../../parts/page.tsx';
import { Problem } from '../../parts/problem.tsx';
import { visibleName } from '../../parts/visible-name.ts';

/** The values for all rows. The document can be chosen here; everything else is changed in the form. */
export function SameCard(props: {
  readonly draft: Draft;
  /** The check found no document, neither here nor in the spreadsheet. */
  readonly missing: Failure | null;
  readonly onDocument: () => void;
}) {
  const { draft, missing } = props;
  const { content } = draft;
  const { t } = useTranslation();
  const go = useGo();
  const document = useDocument(draft, props.onDocument);
  const buttons = useRef<HTMLDivElement>(null);
  useEffect(() => (missing ? focusWhenDrawn(() => buttons.current?.querySelector('button')) : undefined), [missing]);
  const isTemplate = content.kind === 'easy-sign-template';
  const hasTexts = [content.documentName, content.customSubject, content.messageToSigners].some(Boolean);
  return (
    <Card title={t('bulk.same')}>
      {hasTexts ? <p className={looks.hint}>{t('bulk.sameText')}</p> : null}
      <Facts
        facts={[
          [t('compose.kind'), isTemplate ? null : t(`compose.kinds.${content.kind}`)],
          [t('compose.template'), isTemplate ? content.templateId || '—' : null],
          [t('compose.document'), isTemplate ? null : draft.file ? visibleName(draft.file.name) : '—'],
          [t('compose.documentName'), content.documentName || null],
          [t('compose.subject'), content.kind === 'plain' ? null : content.customSubject || null],
          [t('compose.message'), content.kind === 'plain' ? null : content.messageToSigners || null],
        ]}
      />
      {missing ? <Problem heading={t('bulk.noDocument')} /> : null}
      <div ref={buttons} className={`${looks.line3} ${looks.small}`}>
        {isTemplate ? null : (
          <Button isPending={document.busy} onPress={() => void document.choose()}>
            {t('bulk.choosePdf')}
          </Button>
        )}
        <Button onPress={() => go({ screen: 'compose', draftId: draft.id })}>{t('bulk.edit')}</Button>
      </div>
      {document.failure ? <FailureView failure={document.failure} /> : null}
    </Card>
  );
}

/** Chooses the document of all rows and keeps it in the draft. */
function useDocument({ id, connectionId, content }: Draft, onDocument: () => void) {
  const client = useQueryClient();
  const chooser = useChooseFile('documents');
  const save = useCall('forms.save');
  async function choose() {
    const file = await chooser.choose();
    if (!file) return;
    const saved = await save.run({ place: 'draft', id, connectionId, content: { ...content, fileToken: file.token } });
    if (!saved.ok) return;
    await client.invalidateQueries({ queryKey: ['draft', id] });
    onDocument();
  }
  return { choose, busy: chooser.busy || save.busy, failure: chooser.failure ?? save.failure } as const;
}
