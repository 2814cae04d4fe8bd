import { useQuery } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { longestCheckedXml } from '../../../contract/compose.ts';
import type { Connection } from '../../../contract/connections.ts';
import { askValue } from '../../bridge/client.ts';
import { FailureView } from '../../bridge/failure-view.tsx';
import { useCall, useChooseFile } from '../../bridge/use-call.ts';
import { kindsBeside, uncarried, withKind } from '../../features/forms/draft-state.ts';
import { Button } from '../../parts/button.tsx';
import { Checkbox } from '../../parts/checkbox.tsx';
import { SecretWordField, Segments, TextField } from '../../parts/field.tsx';
import { useDebounced } from '../../parts/hooks/use-debounced.ts';
import looks from '../../parts/looks.module.css';
import { Fold } from '../../parts/problem.tsx';
import { PickedFile } from './document-field.tsx';
import { TemplateField } from './template-field.tsx';
import { type DraftForm, fieldOf } from './use-draft.ts';

const rules = ['enforceSigClick', 'allowSignerElementAdd', 'idVerify'] as const;
const said = ['unsaid', 'yes', 'no'] as const;
/** What is not among these fields. */
const letter: ReadonlySet<string> = new Set(['name', 'subject', 'message', 'cc']);

/** The kind of request, and fields and rules that only some need; open if one of them is filled in. */
export function MoreFields(props: { readonly draft: DraftForm; readonly connection: Connection }) {
  const { draft } = props;
  const { t } = useTranslation();
  const { content, image, isKindNamed, hasSecretWord } = draft.state;
  const { kind } = content;
  const lost = uncarried(draft.state);
  const hasOwn = kind !== 'plain' || lost.some((name) => !letter.has(name));
  const isFilled =
    [
      isKindNamed,
      hasSecretWord,
      content.clientId,
      content.description,
      content.uniqueId,
      content.elementsFromTemplateId,
      content.xmlData,
      image,
    ].some(Boolean) || rules.some((rule) => content[rule] !== null);
  return (
    <Fold label={t('compose.more')} open={isFilled}>
      <div className={looks.stack4}>
        <Kind draft={draft} />
        {kind === 'easy-sign-template' && !lost.includes('secretWord') && !lost.includes('ownerFirst') ? null : (
          <PlainOnly draft={draft} />
        )}
        {hasOwn ? <Rules draft={draft} /> : null}
        <TextField {...fieldOf(draft, 'clientId')} label={t('register.clientId')} maxLength={1000} />
        <TextField {...fieldOf(draft, 'description')} label={t('register.description')} lines maxLength={10_000} />
        {hasOwn ? <EasySignOnly draft={draft} connection={props.connection} /> : null}
      </div>
    </Fold>
  );
}

/** Which operation of the interface is used: the one that carries all that is filled in, or one that a person names. */
function Kind(props: { readonly draft: DraftForm }) {
  const { draft } = props;
  const { t } = useTranslation();
  const { content, isKindNamed } = draft.state;
  return (
    <Segments
      label={t('compose.kind')}
      value={isKindNamed ? content.kind : 'fits'}
      onChange={(key) =>
        draft.change((now) =>
          key === 'fits'
            ? withKind({ ...now, isKindNamed: false })
            : { ...now, isKindNamed: true, content: { ...now.content, kind: key } },
        )
      }
      help={`${t(`compose.kinds.${content.kind}`)}: ${t(`compose.kindText.${content.kind}`)}`}
      choices={[
        { key: 'fits', text: t('compose.kindFits') },
        ...kindsBeside(content.kind).map((kind) => ({ key: kind, text: t(`compose.kinds.${kind}`) })),
      ]}
    />
  );
}

/** What only a plain request has. */
function PlainOnly(props: { readonly draft: DraftForm }) {
  const { draft } = props;
  const { t } = useTranslation();
  const { content, secretWord, hasSecretWord } = draft.state;
  const { ownerSigns, ownerFirst } = content;
  return (
    <div className={looks.columns}>
      <SecretWordField
        label={t('compose.secretWord')}
        help={t('compose.secretHelp')}
        word={secretWord}
        isKept={hasSecretWord}
        onChange={(word) => draft.change((now) => ({ ...now, secretWord: word }))}
      />
      <Checkbox
        isSelected={ownerSigns && ownerFirst}
        isDisabled={!ownerSigns}
        onChange={(value) => draft.set({ ownerFirst: value })}
      >
        {t('compose.ownerFirst')}
      </Checkbox>
    </div>
  );
}

function EasySignOnly(props: { readonly draft: DraftForm; readonly connection: Connection }) {
  const { draft } = props;
  const { t } = useTranslation();
  const { content, image } = draft.state;
  return (
    <>
      <TextField {...fieldOf(draft, 'uniqueId')} label={t('compose.uniqueId')} mono />
      {content.kind === 'easy-sign' ? (
        <TemplateField
          label={t('compose.elementsFrom')}
          use="elements"
          connection={props.connection}
          {...fieldOf(draft, 'elementsFromTemplateId')}
        />
      ) : null}
      <PickedFile
        label={t('compose.image')}
        choose={t('compose.chooseImage')}
        kind="any"
        file={image}
        onChange={(file) =>
          draft.change((now) => ({
            ...now,
            image: file,
            content: { ...now.content, imageToken: file?.token ?? null },
          }))
        }
      />
      <XmlField {...fieldOf(draft, 'xmlData')} />
    </>
  );
}

/** Options with three values: without a choice, the service decides. */
function Rules(props: { readonly draft: DraftForm }) {
  const { draft } = props;
  const { t } = useTranslation();
  const { content } = draft.state;
  return (
    <div className={looks.stack3}>
      {rules.map((rule) => (
        <Segments
          key={rule}
          label={t(`compose.rule.${rule}`)}
          value={content[rule] === null ? 'unsaid' : content[rule] ? 'yes' : 'no'}
          onChange={(value) => draft.set({ [rule]: value === 'unsaid' ? null : value === 'yes' })}
          choices={said.map((key) => ({ key, text: t(`compose.said.${key}`) }))}
        />
      ))}
    </div>
  );
}

/** XML data from a file or typed here; errors of well-formedness are shown with line and column. */
function XmlField(props: { readonly value: string; readonly onChange: (text: string) => void }) {
  const { t } = useTranslation();
  const choose = useChooseFile('any');
  const read = useCall('compose.readXml');
  const still = useDebounced(props.value, 300);
  const check = useQuery({
    queryKey: ['xml', still],
    queryFn: () => askValue('compose.checkXml', { text: still }),
    enabled: still.length <= longestCheckedXml && still.trim() !== '',
    gcTime: 0,
  });

  async function fromFile() {
    const file = await choose.choose();
    if (!file) return;
    const text = await read.run({ token: file.token });
    if (text.ok) props.onChange(text.value.text);
  }

  const found = props.value.trim() === '' ? undefined : check.data;
  const failure = choose.failure ?? read.failure ?? check.error?.failure;
  return (
    <div className={looks.stack1}>
      <TextField
        label={t('compose.xml')}
        lines
        mono
        value={props.value}
        onChange={props.onChange}
        help={
          found?.ok
            ? t('compose.xmlFine', { root: found.rootElement, count: found.elementCount })
            : t('compose.xmlHelp')
        }
        error={
          found && !found.ok
            ? t('compose.xmlWrong', {
                line: found.line,
                column: found.column,
                reason: t(`compose.xmlReason.${found.reason}`),
              })
            : undefined
        }
      />
      {found && !found.ok && found.note ? <p className={looks.hint}>{found.note}</p> : null}
      <div className={looks.line3}>
        <Button onPress={() => void fromFile()}>{t('compose.xmlFromFile')}</Button>
      </div>
      {failure ? <FailureView failure={failure} /> : null}
    </div>
  );
}
