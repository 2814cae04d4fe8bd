import { useTranslation } from 'react-i18next';
import type { Connection } from '../../../contract/connections.ts';
import { nameOfFile } from '../../../contract/text.ts';
import {
  addressesOf,
  addressText,
  type DraftState,
  type Missing,
  missingOf,
  useUncarriedText,
  withKind,
} from '../../features/forms/draft-state.ts';
import { Choice } from '../../parts/choice.tsx';
import field from '../../parts/field.module.css';
import { Segments, TextField } from '../../parts/field.tsx';
import looks from '../../parts/looks.module.css';
import { DocumentField } from './document-field.tsx';
import { type Problems, Recipients } from './recipients.tsx';
import { TemplateField } from './template-field.tsx';
import { type DraftForm, fieldOf } from './use-draft.ts';

/** The left side: the file or the template, its signers, and the texts for them. */
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
  const isTemplate = content.kind === 'easy-sign-template';
  const hasLetter = content.customSubject || content.messageToSigners || content.ccEmails.length > 0;
  return (
    <div className={looks.stack4}>
      <SourceChoice draft={draft} />
      <div className={looks.columns}>
        {isTemplate ? (
          <TemplateField
            label={t('compose.template')}
            use="template"
            connection={connection}
            {...fieldOf(draft, 'templateId')}
            error={missing.includes('template') ? t('compose.templateMissing') : undefined}
          />
        ) : (
          <DocumentField draft={draft} isMissing={missing.includes('file')} />
        )}
        <TextField
          {...fieldOf(draft, 'documentName')}
          label={t('compose.documentName')}
          // Without a name of its own, the document is called like its file.
          {...(!isTemplate && draft.state.file ? { placeholder: nameOfFile(draft.state.file) } : {})}
          maxLength={1000}
        />
      </div>
      <Recipients draft={draft} connection={connection} problems={props.problems} tried={props.tried} />
      {plain ? (
        <div className={looks.columns}>
          <Choice
            label={t('register.credit')}
            value={props.creditType === null ? null : String(props.creditType)}
            placeholder={t('register.noCredit')}
            choices={connection.creditTypes.map((type) => ({ key: String(type.value), text: type.name }))}
            onChange={(key) => draft.set({ creditType: Number(key) })}
            error={missing.includes('credit') ? t('register.noCredit') : undefined}
          />
          <p className={looks.hint}>{t('compose.plainLetter')}</p>
        </div>
      ) : null}
      {!plain || hasLetter ? <Mail draft={draft} problems={props.problems} /> : null}
      <Uncarried state={draft.state} />
    </div>
  );
}

/** A file of one's own, or a template of the service. */
function SourceChoice({ draft }: { readonly draft: DraftForm }) {
  const { t } = useTranslation();
  return (
    <Segments
      hideLabel
      label={t('compose.source')}
      value={draft.state.content.kind === 'easy-sign-template' ? 'template' : 'file'}
      onChange={(source) =>
        draft.change((now) => {
          const kind = source === 'template' ? 'easy-sign-template' : 'easy-sign';
          return withKind({ ...now, isKindNamed: false, content: { ...now.content, kind } });
        })
      }
      choices={[
        { key: 'file', text: t('compose.sourceFile'), tip: t('compose.kindText.easy-sign') },
        { key: 'template', text: t('compose.template'), tip: t('compose.kindText.easy-sign-template') },
      ]}
    />
  );
}

function Mail(props: { readonly draft: DraftForm; readonly problems: Problems }) {
  const { draft } = props;
  const { t } = useTranslation();
  const { content } = draft.state;
  const wrong = props.problems.problems.find(({ list, severity }) => list === 'ccEmails' && severity === 'error');
  return (
    <>
      <div className={looks.columns}>
        <TextField {...fieldOf(draft, 'customSubject')} label={t('compose.subject')} maxLength={1000} />
        <TextField
          label={t('compose.cc')}
          value={addressText(content.ccEmails)}
          onChange={(text) => draft.set({ ccEmails: text === '' ? [] : [...addressesOf(text)] })}
          error={wrong ? t(`compose.problem.${wrong.kind}`) : undefined}
        />
      </div>
      <TextField {...fieldOf(draft, 'messageToSigners')} label={t('compose.message')} lines maxLength={10_000} />
    </>
  );
}

/** What is filled in and would not be sent, before it is sent; an error while a person has not said that it may be so. */
function Uncarried(props: { readonly state: DraftState }) {
  const { state } = props;
  const { t } = useTranslation();
  const text = useUncarriedText(state);
  if (text === null) return null;
  const isRefused = missingOf(state, 0).includes('kind');
  return (
    <p
      className={isRefused ? field.error : field.warning}
      role={isRefused ? 'alert' : 'status'}
      {...(isRefused ? { 'data-missing': '', tabIndex: -1 } : {})}
    >
      {isRefused ? t('compose.kindMissing', { what: text }) : t('compose.uncarried', { what: text })}
    </p>
  );
}
