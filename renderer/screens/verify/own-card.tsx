import type { TFunction } from 'i18next';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { PdfSignature, PdfSignatures, SignerTrust } from '../../../contract/pdf-signatures.ts';
import type { AskedAndFound, FileHistory } from '../../../contract/verify-result.ts';
import { pagesOf, reasonOf } from '../../../locales/own-verdict.ts';
import { FailureView } from '../../bridge/failure-view.tsx';
import { useLive } from '../../bridge/live.tsx';
import { useCall } from '../../bridge/use-call.ts';
import { Button } from '../../parts/button.tsx';
import { Chip, type ChipTone } from '../../parts/chip.tsx';
import { TextField } from '../../parts/field.tsx';
import { useFormat, visibleName } from '../../parts/format.ts';
import looks from '../../parts/looks.module.css';
import { Confirm } from '../../parts/overlays/dialog.tsx';
import { Facts } from '../../parts/page.tsx';
import { Fold } from '../../parts/problem.tsx';
import { HistoryCard } from './history-known-here.tsx';
import { ownTones, signatureTitle } from './result-texts.ts';
import { RevisionsDialog, signedRevisions } from './revisions-dialog.tsx';

/** Signatures shown without being asked for. */
const shownAtOnce = 3;

/** What the file itself proves: one sentence, then what, who, when and how much of it for each signature. */
export function OwnCard(props: { readonly history: FileHistory }) {
  const { runId, index, signatures: own, sha256, askedAndFound } = props.history;
  const { t } = useTranslation();
  const [isAsking, setAsking] = useState(false);
  if (!own) {
    const isRead = sha256 !== null;
    return (
      <HistoryCard
        whose={t('own.title')}
        tone="silent"
        icon={isRead ? 'minus' : 'clock'}
        answer={isRead ? t('own.notPdf') : t('own.notRead')}
      >
        {null}
      </HistoryCard>
    );
  }
  const { verdict, reason, signatures, needsPassword } = own;
  const why = reasonOf(reason);
  const pages = pagesOf(own);
  return (
    <HistoryCard
      whose={t('own.title')}
      {...ownTones[verdict]}
      answer={own.isUnmarked ? t('own.notReadable') : t(`own.verdict.${verdict}`)}
    >
      <p>{[t(`own.meaning.${verdict}`), pages ? t(`own.pages.${pages.what}`, pages) : ''].filter(Boolean).join(' ')}</p>
      {why ? <p className={looks.hint}>{t(`own.reasons.${why}`)}</p> : null}
      {reason === null || why ? null : (
        <p className={looks.hint} lang="en" dir="ltr">
          {reason}
        </p>
      )}
      <RevisionsPart history={props.history} own={own} />
      {needsPassword ? (
        <div>
          <Button onPress={() => setAsking(true)}>{t('own.password.enter')}</Button>
        </div>
      ) : null}
      {askedAndFound ? <AskedPart found={askedAndFound} /> : null}
      {signatures.slice(0, shownAtOnce).map((one, at) => (
        <Signature key={one.field} signature={one} number={at + 1} isOnly={signatures.length === 1} />
      ))}
      {signatures.length > shownAtOnce ? (
        <Fold label={t('own.more', { count: signatures.length - shownAtOnce })}>
          <div className={looks.stack}>
            {signatures.slice(shownAtOnce).map((one, at) => (
              <Signature key={one.field} signature={one} number={at + 1 + shownAtOnce} isOnly={false} />
            ))}
          </div>
        </Fold>
      ) : null}
      {isAsking ? <PasswordDialog file={{ runId, index }} onClose={() => setAsking(false)} /> : null}
    </HistoryCard>
  );
}

function Signature(props: { readonly signature: PdfSignature; readonly number: number; readonly isOnly: boolean }) {
  const { integrity, weak } = props.signature;
  const { t } = useTranslation();
  const title = signatureTitle(t, props.signature, props.number);
  return (
    <section className={looks.stack} aria-label={title}>
      {props.isOnly ? null : <h3>{title}</h3>}
      <Facts
        facts={[
          [t('own.what'), t(`own.integrity.${integrity}`)],
          [t('own.who'), useSignerText(props.signature)],
          [t('own.when'), useTimeText(props.signature)],
          [t('own.all'), coverageText(t, props.signature)],
        ]}
      />
      <p className={looks.line}>
        {useTrustChips(props.signature).map(({ text, ...tone }) => (
          <Chip key={text} {...tone}>
            {text}
          </Chip>
        ))}
        {weak.map((one) => (
          <Chip key={one} tone="silent" icon="minus">
            {t(`own.weak.${one}`)}
          </Chip>
        ))}
      </p>
    </section>
  );
}

/** Whose list knows the signer; else the name is what the certificate says. */
function useSignerText({ signer, trust }: PdfSignature): string {
  const { t } = useTranslation();
  const format = useFormat();
  if (signer === null) return t('own.noSigner');
  const { by = null, list = null } = trust ?? {};
  const named = { signer: visibleName(signer) };
  if (by === null || !list) return t('own.signer', named);
  const when = list.date === null ? '' : format.date(list.date);
  return by === 'list'
    ? t('own.trust.list', { ...named, list: visibleName(list.name), when })
    : t('own.trust.organisation', named);
}

/** Only what is revoked stands out: what is not known, or old, is grey. */
function useTrustChips({ trust }: PdfSignature): readonly (ChipTone & { readonly text: string })[] {
  const { t } = useTranslation();
  const format = useFormat();
  const { by = null, validity = 'valid', revocation = 'not-checked', revocationAt = null } = trust ?? {};
  const when = revocationAt === null ? '' : format.whole(revocationAt);
  return [
    by === null
      ? { tone: 'silent', icon: 'help', text: t('own.unknownSigner') }
      : { ...revocationTones[revocation], text: t(`own.trust.${revocation}`, { when }) },
    ...(validity === 'valid' ? [] : [{ tone: 'silent', icon: 'clock', text: t(`own.trust.${validity}`) } as const]),
  ];
}

const revocationTones: Record<SignerTrust['revocation'], ChipTone> = {
  good: { tone: 'info', icon: 'clock' },
  revoked: { tone: 'refused' },
  'revoked-later': { tone: 'silent', icon: 'clock' },
  'not-checked': { tone: 'silent' },
};

function useTimeText({ timestamp, claimedTime, trust }: PdfSignature): string {
  const { t } = useTranslation();
  const format = useFormat();
  const proven = trust?.provenTime;
  if (proven && proven !== timestamp) return t('own.proven', { when: format.fullMoment(proven) });
  if (timestamp) return t(proven ? 'own.stamped' : 'own.stampedBy', { when: format.fullMoment(timestamp) });
  return claimedTime ? t('own.claimed', { when: format.fullMoment(claimedTime) }) : t('own.noTime');
}

function coverageText(t: TFunction, { covers, laterChanges }: Pick<PdfSignature, 'covers' | 'laterChanges'>): string {
  if (covers === 'unclear') return t('own.unclear');
  if (covers === 'whole') return t('own.whole');
  return t(`own.later.${laterChanges ?? 'undecidable'}`);
}

/** Leads to what was signed beside the file as it is now; nothing where that is the same or not known, or the program has no viewer. */
function RevisionsPart(props: { readonly history: FileHistory; readonly own: PdfSignatures }) {
  const { t } = useTranslation();
  const isDesktop = useLive().info.host === 'desktop';
  const [isOpen, setOpen] = useState(false);
  const revisions = signedRevisions(props.own, props.history.sizeBytes);
  if (!isDesktop || revisions.length === 0) return null;
  return (
    <div>
      <Button onPress={() => setOpen(true)}>{t('own.revisions.show')}</Button>
      {isOpen ? <RevisionsDialog history={props.history} revisions={revisions} onClose={() => setOpen(false)} /> : null}
    </div>
  );
}

/** Who was asked to sign, beside the signatures in the file: what does not match is said, and nothing is guessed. */
function AskedPart(props: { readonly found: AskedAndFound }) {
  const { asked, others, isSealed } = props.found;
  const { t } = useTranslation();
  const named = others.map((name) => (name === '' ? t('own.noSigner') : visibleName(name))).join(', ');
  return (
    <section className={looks.stack} aria-label={t('own.asked.title')}>
      <h3>{t('own.asked.title')}</h3>
      <ul className={looks.stack}>
        {Object.entries(asked).map(([at, { name, email, found }]) => (
          <li key={at} className={looks.line}>
            {name === '' ? null : <bdi>{visibleName(name)}</bdi>}
            {email === '' ? null : <bdi>{email}</bdi>}
            {isSealed ? null : (
              <Chip tone={found ? 'info' : 'silent'} icon={found ? 'equal' : 'minus'}>
                {found ? t(`own.asked.found.${found}`) : t('own.asked.missing')}
              </Chip>
            )}
          </li>
        ))}
      </ul>
      {isSealed ? <p>{t('own.asked.sealed', { signer: named })}</p> : null}
      {others.length > 0 && !isSealed ? (
        <p>
          {t('own.asked.others')}: <bdi>{named}</bdi>
        </p>
      ) : null}
    </section>
  );
}

/** Asks for the password of a PDF, which is used once. */
function PasswordDialog(props: {
  readonly file: { readonly runId: string; readonly index: number };
  readonly onClose: () => void;
}) {
  const { t } = useTranslation();
  const unlock = useCall('verify.unlock');
  const [password, setPassword] = useState('');
  const [isWrong, setWrong] = useState(false);
  return (
    <Confirm
      title={t('own.password.title')}
      confirm={t('own.password.read')}
      busy={unlock.busy}
      isDisabled={password === ''}
      onConfirm={() =>
        void unlock.run({ ...props.file, password }).then((answer) => {
          if (!answer.ok) return;
          if (!answer.value) return setWrong(true);
          props.onClose();
        })
      }
      onClose={props.onClose}
    >
      <p>{t('own.password.text')}</p>
      <TextField
        label={t('own.password.label')}
        type="password"
        value={password}
        onChange={(text) => {
          setPassword(text);
          setWrong(false);
        }}
        error={isWrong ? t('own.password.wrong') : undefined}
        maxLength={1024}
        autoFocus
      />
      {unlock.failure ? <FailureView failure={unlock.failure} /> : null}
    </Confirm>
  );
}
