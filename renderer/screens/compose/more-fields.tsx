import { useTranslation } from 'react-i18next';
import type { Connection } from '../../../contract/connections.ts';
import { Segments, TextField } from '../../parts/field.tsx';
import { Fold } from '../../parts/fold.tsx';
import css from './compose.module.css';
import { PickedFile } from './document-field.tsx';
import { TemplateField } from './template-field.tsx';
import type { DraftForm } from './use-draft.ts';
import { XmlField } from './xml-field.tsx';

const rules = ['enforceSigClick', 'allowSignerElementAdd', 'idVerify'] as const;
const said = ['unsaid', 'yes', 'no'] as const;

/** Fields and rules that only some requests need; open if one of them is filled in. */
export function MoreFields(props: { readonly draft: DraftForm; readonly connection: Connection }) {
  const { draft } = props;
  const { t } = useTranslation();
  const { content, image } = draft.state;
  const isFilled =
    [
      content.clientId,
      content.description,
      content.uniqueId,
      content.elementsFromTemplateId,
      content.xmlData,
      image,
    ].some(Boolean) || rules.some((rule) => content[rule] !== null);
  return (
    <Fold label={content.kind === 'plain' ? t('compose.morePlain') : t('compose.moreEasySign')} open={isFilled}>
      <div className={css.stack}>
        {content.kind === 'plain' ? null : <Rules draft={draft} />}
        <TextField
          label={t('register.clientId')}
          value={content.clientId}
          onChange={(clientId) => draft.set({ clientId })}
          maxLength={1000}
        />
        <TextField
          label={t('register.description')}
          lines
          value={content.description}
          onChange={(description) => draft.set({ description })}
          maxLength={10_000}
        />
        {content.kind === 'plain' ? null : <EasySignOnly draft={draft} connection={props.connection} />}
      </div>
    </Fold>
  );
}

function EasySignOnly(props: { readonly draft: DraftForm; readonly connection: Connection }) {
  const { draft } = props;
  const { t } = useTranslation();
  const { content, image } = draft.state;
  return (
    <>
      <TextField
        label={t('compose.uniqueId')}
        value={content.uniqueId}
        onChange={(uniqueId) => draft.set({ uniqueId })}
        mono
      />
      {content.kind === 'easy-sign' ? (
        <TemplateField
          label={t('compose.elementsFrom')}
          use="elements"
          connection={props.connection}
          value={content.elementsFromTemplateId}
          onChange={(elementsFromTemplateId) => draft.set({ elementsFromTemplateId })}
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
      <XmlField value={content.xmlData} onChange={(xmlData) => draft.set({ xmlData })} />
    </>
  );
}

/** Options with three values: without a choice, the service decides. */
function Rules(props: { readonly draft: DraftForm }) {
  const { draft } = props;
  const { t } = useTranslation();
  const { content } = draft.state;
  return (
    <div className={css.rules}>
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
