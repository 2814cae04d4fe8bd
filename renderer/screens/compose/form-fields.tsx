import { useTranslation } from 'react-i18next';
import { requestKinds } from '../../../contract/compose.ts';
import type { Connection } from '../../../contract/connections.ts';
import { Choice } from '../../parts/choice.tsx';
import { Segments, TextField } from '../../parts/field.tsx';
import css from './compose.module.css';
import { DocumentField } from './document-field.tsx';
import { addressesOf, addressText, type Missing } from './draft-state.ts';
import { Recipients } from './recipients.tsx';
import { SecretWord } from './secret-word.tsx';
import { TemplateField } from './template-field.tsx';
import type { DraftForm } from './use-draft.ts';
import type { Problems } from './use-recipient-problems.ts';

/** The left side: the document, its signers, and the texts for them. */
export function FormFields(props: {
  readonly draft: DraftForm;
  readonly connection: Connection;
  readonly creditType: number | null;
  readonly problems: Problems;
  readonly missing: readonly Missing[];
  readonly tried: boolean;
}) {
  const { draft, connection, missing } = props;
  const { t } = useTranslation();
  const { content } = draft.state;
  const plain = content.kind === 'plain';
  return (
    <div className={css.stack}>
      <Segments
        hideLabel
        label={t('compose.kind')}
        value={content.kind}
        onChange={(kind) => draft.set({ kind })}
        help={t(`compose.kindText.${content.kind}`)}
        choices={requestKinds.map((kind) => ({
          key: kind,
          text: t(`compose.kinds.${kind}`),
          tip: t(`compose.kindText.${kind}`),
        }))}
      />
      <div className={css.two}>
        {content.kind === 'easy-sign-template' ? (
          <TemplateField
            label={t('compose.template')}
            use="template"
            connection={connection}
            value={content.templateId}
            onChange={(templateId) => draft.set({ templateId })}
            error={missing.includes('template') ? t('compose.templateMissing') : undefined}
          />
        ) : (
          <DocumentField draft={draft} isMissing={missing.includes('file')} />
        )}
        <TextField
          label={t('compose.documentName')}
          value={content.documentName}
          // Without a name of its own, the document is called like its file.
          {...(content.kind !== 'easy-sign-template' && draft.state.file ? { placeholder: draft.state.file.name } : {})}
          onChange={(documentName) => draft.set({ documentName })}
          maxLength={1000}
        />
      </div>
      <Recipients draft={draft} connection={connection} problems={props.problems} tried={props.tried} />
      {plain ? (
        <div className={css.two}>
          <SecretWord draft={draft} />
          <Choice
            label={t('register.credit')}
            value={props.creditType === null ? null : String(props.creditType)}
            placeholder={t('register.noCredit')}
            choices={connection.creditTypes.map((type) => ({ key: String(type.value), text: type.name }))}
            onChange={(key) => draft.set({ creditType: Number(key) })}
            error={missing.includes('credit') ? t('register.noCredit') : undefined}
          />
        </div>
      ) : (
        <Mail draft={draft} problems={props.problems} />
      )}
    </div>
  );
}

function Mail(props: { readonly draft: DraftForm; readonly problems: Problems }) {
  const { draft } = props;
  const { t } = useTranslation();
  const { content } = draft.state;
  const wrong = props.problems.problems.find(({ list, severity }) => list === 'ccEmails' && severity === 'error');
  return (
    <>
      <div className={css.two}>
        <TextField
          label={t('compose.subject')}
          value={content.customSubject}
          onChange={(customSubject) => draft.set({ customSubject })}
          maxLength={1000}
        />
        <TextField
          label={t('compose.copyTo')}
          value={addressText(content.ccEmails)}
          onChange={(text) => draft.set({ ccEmails: text === '' ? [] : [...addressesOf(text)] })}
          error={wrong ? t(`compose.problem.${wrong.kind}`) : undefined}
        />
      </div>
      <TextField
        label={t('compose.message')}
        lines
        value={content.messageToSigners}
        onChange={(messageToSigners) => draft.set({ messageToSigners })}
        maxLength={10_000}
      />
    </>
  );
}
