import { Plus } from 'lucide-react';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import type { Connection } from '../../../contract/connections.ts';
import type { SelectedFile } from '../../../contract/files.ts';
import { fillPattern } from '../../../contract/text.ts';
import type { RegisterDraft } from '../../features/files/selection.tsx';
import { Choice } from '../../parts/choice.tsx';
import { TextField } from '../../parts/field.tsx';
import looks from '../../parts/looks.module.css';
import { MenuButton } from '../../parts/overlays/menu-button.tsx';
import css from './register.module.css';

/** The pattern of a document that is called like its file. */
export const fileNamePattern = '{name}';

type TextName = 'name' | 'clientId' | 'description';

interface FieldsProps {
  readonly draft: RegisterDraft;
  readonly setDraft: (draft: RegisterDraft) => void;
  readonly creditTypes: Connection['creditTypes'];
  readonly credit: number | null;
  readonly errors: Readonly<Record<string, string>>;
  /** False: the texts are used as they are. */
  readonly hasPatterns: boolean;
  /** The first file that is sent, as an example. */
  readonly first: SelectedFile | null;
}

/** The values for all files. A document without a name of its own is called like its file. */
export function RegisterFields(props: FieldsProps) {
  const { t } = useTranslation();
  const { draft, setDraft, hasPatterns } = props;
  return (
    <div className={looks.columns}>
      <PatternField
        {...props}
        field="name"
        label={t('register.name')}
        placeholder={t('register.fileName')}
        empty={hasPatterns ? fileNamePattern : ''}
        maxLength={1000}
      />
      <Choice
        label={t('register.credit')}
        value={props.credit === null ? null : String(props.credit)}
        placeholder={t('register.noCredit')}
        choices={props.creditTypes.map((type) => ({ key: String(type.value), text: type.name }))}
        onChange={(key) => setDraft({ ...draft, creditType: Number(key) })}
        error={props.errors.creditType}
      />
      <PatternField {...props} field="clientId" label={t('register.clientId')} maxLength={1000} />
      <PatternField {...props} field="description" label={t('register.description')} lines maxLength={10_000} />
    </div>
  );
}

const parts = ['name', 'file', 'folder', 'n'] as const;

/** A text into which parts of the file name can be put, which are shown by their names in ‹ ›; below it stands what the first file gets. */
function PatternField(
  props: FieldsProps & {
    readonly field: TextName;
    readonly label: string;
    /** What is stored in place of no text. */
    readonly empty?: string;
    readonly placeholder?: string;
    readonly lines?: boolean;
    readonly maxLength: number;
  },
) {
  const { t } = useTranslation();
  const { draft, first, field, label, empty = '', placeholder, lines, maxLength, hasPatterns, errors } = props;
  const value = draft[field] === empty ? '' : draft[field];
  const set = (text: string) => props.setDraft({ ...draft, [field]: text || empty });
  const words = parts.map((key) => [`{${key}}`, `‹${t(`register.parts.${key}`)}›`] as const);
  const onChange = (shown: string) =>
    set(hasPatterns ? words.reduce((text, [key, word]) => text.replaceAll(word, key), shown) : shown);
  const shown = hasPatterns ? words.reduce((text, [key, word]) => text.replaceAll(key, word), value) : value;
  const filled = first ? fillPattern(value, first, first.index + 1) : value;
  const help: ReactNode = filled === value ? null : t('register.firstGets', { text: filled });
  return (
    <div className={looks.anchor}>
      <TextField
        label={label}
        value={shown}
        onChange={onChange}
        error={errors[field]}
        maxLength={maxLength}
        help={help}
        {...(lines ? { lines } : {})}
        {...(placeholder ? { placeholder } : {})}
      />
      {hasPatterns ? (
        <div className={css.insert}>
          <MenuButton
            kind="quiet"
            icon={<Plus aria-hidden="true" />}
            label={t('register.insertInto', { field: label })}
            choices={parts.map((key) => ({ key, text: t(`register.parts.${key}`) }))}
            onChoose={(key) => set(`${value}{${key}}`)}
          />
        </div>
      ) : null}
    </div>
  );
}
