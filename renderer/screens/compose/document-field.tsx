import { FileText, X } from 'lucide-react';
import { type ReactNode, useId, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { FileToken, SkippedFile } from '../../../contract/files.ts';
import { skipText } from '../../bridge/failure-text.ts';
import { FailureView } from '../../bridge/failure-view.tsx';
import { useIntakes } from '../../bridge/queries.ts';
import { useCall, useChooseFile } from '../../bridge/use-call.ts';
import { type Dragged, type Dropped, useDropTarget } from '../../features/files/dropped.ts';
import { FirstPage } from '../../features/files/pdf-frame.tsx';
import { useSelection } from '../../features/files/selection.tsx';
import { type Rejected, RejectedFiles, useTakeFiles } from '../../features/files/taken-files.tsx';
import { Button, IconButton } from '../../parts/button.tsx';
import { Choice } from '../../parts/choice.tsx';
import field from '../../parts/field.module.css';
import { useFormat, visibleName } from '../../parts/format.ts';
import { useKeptFocus } from '../../parts/hooks/focus-and-scroll.ts';
import looks from '../../parts/looks.module.css';
import { MiddleCut } from '../../parts/middle-cut.tsx';
import { useGo } from '../../parts/navigation.tsx';
import css from './compose.module.css';
import type { DraftForm } from './use-draft.ts';

/** The PDF to be signed: one of the selected files, or one chosen here. */
export function DocumentField(props: { readonly draft: DraftForm; readonly isMissing: boolean }) {
  const { draft } = props;
  const { t } = useTranslation();
  const format = useFormat();
  const inHand = useRequestable();
  const { file, missingFiles } = draft.state;
  const others = inHand.filter((token) => token.source !== file?.source);
  const take = (token: FileToken | null) =>
    draft.change((now) => ({
      ...now,
      file: token,
      missingFiles: [],
      content: { ...now.content, fileToken: token?.token ?? null },
    }));
  const notice = useDroppedDocument(file, take);
  return (
    <div className={looks.stack1}>
      <PickedFile
        label={t('compose.file')}
        choose={t('compose.chooseDocument')}
        kind="documents"
        file={file}
        isMissing={props.isMissing}
        onChange={take}
      />
      {file ? (
        <div className={css.firstPage}>
          <FirstPage file={{ of: 'token', token: file.token }} name={file.name} />
        </div>
      ) : null}
      {notice}
      {props.isMissing ? <p className={field.error}>{t('compose.documentMissing')}</p> : null}
      {missingFiles.length > 0 ? (
        <p className={field.warning}>{t('compose.fileGone', { name: format.list(missingFiles) })}</p>
      ) : null}
      {others.length > 0 ? (
        <Choice
          hideLabel
          label={t('compose.fromHand')}
          placeholder={t('compose.fromHand')}
          value={null}
          choices={others.map((token) => ({ key: token.token, text: token.name }))}
          onChange={(key) => take(others.find((token) => token.token === key) ?? null)}
        />
      ) : null}
    </div>
  );
}

/** A chosen file with its name and the button to choose another. */
export function PickedFile(props: {
  readonly label: string;
  readonly choose: string;
  readonly kind: 'documents' | 'any';
  readonly file: FileToken | null;
  readonly isMissing?: boolean;
  readonly onChange: (file: FileToken | null) => void;
}) {
  const { t } = useTranslation();
  const id = useId();
  const choose = useChooseFile(props.kind);
  const { file } = props;
  const box = useRef<HTMLDivElement>(null);
  // Choosing and removing take their own button away.
  useKeptFocus(box, file);

  async function chooseNow() {
    const chosen = await choose.choose();
    if (chosen) props.onChange(chosen);
  }

  return (
    // biome-ignore lint/a11y/useSemanticElements: a fieldset cannot be laid out like the fields beside it
    <div ref={box} className={looks.stack1} role="group" aria-labelledby={id}>
      <span id={id} className={looks.label}>
        {props.label}
      </span>
      <div className={css.file}>
        {file ? (
          <>
            <FileText aria-hidden="true" />
            <span className={looks.wrapped}>
              <MiddleCut text={file.name} />
            </span>
            <IconButton
              label={`${t('common.remove')}: ${file.name}`}
              icon={<X aria-hidden="true" />}
              onPress={() => props.onChange(null)}
            />
          </>
        ) : (
          <Button
            isPending={choose.busy}
            {...(props.isMissing ? { 'data-missing': '' } : {})}
            onPress={() => void chooseNow()}
          >
            {props.choose}
          </Button>
        )}
      </div>
      {choose.failure ? <FailureView failure={choose.failure} /> : null}
    </div>
  );
}

/** The selected files that can be the document of a request. */
function useRequestable(): readonly FileToken[] {
  const { tokens } = useSelection();
  const { data } = useIntakes(tokens);
  return tokens.filter(({ token }) => data?.requestable.includes(token));
}

/**
 * A dropped PDF becomes the document of the form. Several files, and files of another type, go to the chooser. Answers what to show about a file that
 * turned out to be no usable PDF.
 */
function useDroppedDocument(file: FileToken | null, onTaken: (file: FileToken) => void): ReactNode {
  const { t } = useTranslation();
  const go = useGo();
  const { takeDropped } = useSelection();
  const take = useTakeFiles();
  const scan = useCall('files.scan');
  const [refused, setRefused] = useState<SkippedFile | null>(null);
  const [rejected, setRejected] = useState<readonly Rejected[]>([]);
  const [last, setLast] = useState<Dropped | null>(null);

  async function takeOne(dropped: Dropped) {
    setRefused(null);
    setLast(dropped);
    const files = await take(dropped);
    setRejected(files.rejected);
    const [one, another] = files.taken;
    if (!one) return;
    if (one.isFolder || another) return toChooser(dropped);
    const looked = await scan.run({ tokens: [one.token], purpose: 'register' });
    if (!looked.ok) return;
    if (looked.value.fileCount === 1) onTaken(one);
    else setRefused(looked.value.skipped[0] ?? null);
  }
  function toChooser(dropped: Dropped) {
    go({ screen: 'start' });
    void takeDropped(dropped);
  }
  useDropTarget((dragged) => {
    if (dragged.count > 1) return { text: t('drop.oneDocument') };
    if (!mayBePdf(dragged)) return { text: t('drop.onlyPdf') };
    return {
      text: file ? t('drop.replaceDocument', { name: visibleName(file.name) }) : t('drop.document'),
      take: (dropped) => void takeOne(dropped),
    };
  });
  return (
    <>
      <RejectedFiles rejected={rejected} />
      {scan.failure ? <FailureView failure={scan.failure} /> : null}
      {refused && last ? <Refused file={refused} onOther={() => toChooser(last)} /> : null}
    </>
  );
}

function Refused(props: { readonly file: SkippedFile; readonly onOther: () => void }) {
  const { t } = useTranslation();
  const { name, reason, kind } = props.file;
  return (
    <div className={looks.line3} role="alert">
      <p className={field.error}>{`${visibleName(name)}: ${skipText(t, reason, kind)}`}</p>
      <Button kind="quiet" onPress={props.onOther}>
        {t('drop.otherActions')}
      </Button>
    </div>
  );
}

/** The type of a folder, and of a file that the system does not know, is empty. */
function mayBePdf({ types }: Dragged): boolean {
  const [type] = types;
  return type === undefined || type === '' || type === 'application/pdf';
}
