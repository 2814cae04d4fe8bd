import { useQuery } from '@tanstack/react-query';
import { ArrowLeft, X } from 'lucide-react';
import { useEffect, useRef, useState } from 'react';
import { Autocomplete, Dialog, Heading, Modal, ModalOverlay } from 'react-aria-components';
import { useTranslation } from 'react-i18next';
import { isScreenShortcut, shortcuts } from '../../../contract/shortcuts.ts';
import { askValue } from '../../bridge/client.ts';
import { useLive } from '../../bridge/live.tsx';
import type { Place } from '../../features/help.ts';
import { Button, IconButton } from '../../parts/button.tsx';
import { SearchField } from '../../parts/field.tsx';
import { combinationsOf, isMac, keysHere } from '../../parts/keys.ts';
import looks from '../../parts/looks.module.css';
import overlay from '../../parts/overlays/overlay.module.css';
import { Fold, Problem } from '../../parts/problem.tsx';
import { GuideText, Marked } from './guide-text.tsx';
import css from './help.module.css';
import { type Guide, type GuideSection, loadGuide, searchGuide, wordsOf } from './load-guide.ts';
import { Topics } from './topics.tsx';

/** Help: the guide with its search, the shortcuts, and the way into the tour. */
export function HelpDialog(props: {
  /** Shown first. */
  readonly place: Place;
  readonly onTour: () => void;
  readonly onClose: () => void;
}) {
  const { guide, query, place, isChoosing, setChoosing, search, open } = useReading(props.place);
  const words = wordsOf(query);
  return (
    <ModalOverlay
      isOpen
      isDismissable
      onOpenChange={(isOpen) => (isOpen ? undefined : props.onClose())}
      className={overlay.scrim ?? ''}
    >
      <Modal className={css.window ?? ''}>
        <Dialog className={overlay.dialog ?? ''}>
          <Autocomplete inputValue={query} onInputChange={search}>
            <Head query={query} onSearch={search} onClose={props.onClose} />
            <div className={css.body} data-choosing={isChoosing || undefined}>
              <Topics
                guide={guide.data}
                words={words}
                query={query}
                place={place}
                isChoosing={isChoosing}
                onOpen={open}
              />
              <Article
                guide={guide.data}
                failure={guide.error}
                again={() => void guide.refetch()}
                place={place}
                words={words}
                onOpen={open}
                onTopics={() => setChoosing(true)}
                onTour={props.onTour}
              />
            </div>
          </Autocomplete>
        </Dialog>
      </Modal>
    </ModalOverlay>
  );
}

/** Title and search. The empty search field keeps Esc to itself. */
function Head(props: {
  readonly query: string;
  readonly onSearch: (text: string) => void;
  readonly onClose: () => void;
}) {
  const { t } = useTranslation();
  return (
    <header
      className={css.head}
      onKeyDownCapture={(event) => (event.key === 'Escape' && props.query === '' ? props.onClose() : undefined)}
    >
      <Heading slot="title" level={2} className={looks.title}>
        {t('help.title')}
      </Heading>
      <div className={css.search}>
        <SearchField
          label={t('help.search')}
          placeholder={t('help.search')}
          value={props.query}
          onChange={props.onSearch}
          autoFocus
        />
      </div>
      <IconButton label={t('common.close')} icon={<X aria-hidden="true" />} onPress={props.onClose} />
    </header>
  );
}

/** The guide, the search in it, and the place that is read. */
function useReading(first: Place) {
  const { i18n } = useTranslation();
  const [query, setQuery] = useState('');
  const [place, setPlace] = useState(first);
  // In a narrow window topics and text take turns.
  const [isChoosing, setChoosing] = useState(false);
  const guide = useQuery({
    queryKey: ['guide', i18n.language],
    queryFn: () => loadGuide(i18n.language),
    staleTime: Number.POSITIVE_INFINITY,
  });
  const search = (text: string) => {
    setQuery(text);
    setChoosing(text.trim() !== '');
    // The best hit can be read beside the list at once; the keys stay in the search.
    const [best] = searchGuide(guide.data?.sections ?? [], wordsOf(text));
    if (best) setPlace({ topic: best.section, anchor: best.anchor });
    // What was found for half a word says nothing about the whole one.
    else if (wordsOf(text).length > 0) setPlace(first);
  };
  const open = (next: Place) => {
    setPlace(next);
    setChoosing(false);
  };
  return { guide, query, place, isChoosing, setChoosing, search, open };
}

interface ArticleProps {
  readonly guide: Guide | undefined;
  readonly failure: Error | null;
  readonly again: () => void;
  readonly place: Place;
  readonly words: readonly string[];
  readonly onOpen: (place: Place) => void;
  readonly onTopics: () => void;
  readonly onTour: () => void;
}

/** The chosen topic. */
function Article(props: ArticleProps) {
  const { t } = useTranslation();
  const box = useRef<HTMLElement>(null);
  const { place, guide } = props;
  const anchor = 'anchor' in place ? place.anchor : null;
  // biome-ignore lint/correctness/useExhaustiveDependencies: runs when another place is shown
  useEffect(() => {
    const part = anchor ? box.current?.querySelector(`[data-anchor="${CSS.escape(anchor)}"]`) : null;
    box.current?.scrollTo(0, 0);
    (part?.querySelector('mark') ?? part)?.scrollIntoView({ block: part?.querySelector('mark') ? 'center' : 'start' });
  }, [place, guide]);
  return (
    // The text scrolls, so it can be reached by keyboard.
    // biome-ignore lint/a11y/noNoninteractiveTabindex: see above
    <article ref={box} className={css.article} tabIndex={0} aria-label={t('help.text')}>
      <div className={css.toTopics}>
        <Button kind="quiet" icon={<ArrowLeft aria-hidden="true" />} onPress={props.onTopics}>
          {t('help.topics')}
        </Button>
      </div>
      <Topic {...props} />
    </article>
  );
}

function Topic(props: ArticleProps) {
  const { t } = useTranslation();
  const { place, guide, failure } = props;
  if (place.topic === 'tour') return <FirstSteps onStart={props.onTour} />;
  if (place.topic === 'about') return <About />;
  if (place.topic === 'shortcuts') {
    return (
      <>
        <h2>{t('help.shortcuts')}</h2>
        <ShortcutList />
      </>
    );
  }
  const section = guide?.sections.find(({ id }) => id === place.topic);
  if (section) return <Section {...props} section={section} language={guide?.language ?? 'en'} />;
  if (!failure) return null;
  return (
    <Problem heading={t('help.notLoaded')} advice={t('app.notLoadedAdvice')} technical={String(failure)}>
      <Button onPress={props.again}>{t('app.loadAgain')}</Button>
    </Problem>
  );
}

function Section(props: ArticleProps & { readonly section: GuideSection; readonly language: string }) {
  const { guide, words, section } = props;
  const follow = (anchor: string) => {
    const target = guide?.sections.find(({ parts }) => parts.some((part) => part.anchor === anchor));
    if (target) props.onOpen({ topic: target.id, anchor });
  };
  return (
    <div lang={props.language} className={css.text}>
      {section.parts.map((part, at) => {
        const Title = at === 0 ? 'h2' : 'h3';
        return (
          <section key={part.anchor} className={css.section} data-anchor={part.anchor}>
            <Title>
              <Marked text={part.title} words={words} />
            </Title>
            <GuideText tokens={part.tokens} words={words} onLink={follow} />
          </section>
        );
      })}
    </div>
  );
}

/** What the tour does, and the button that starts it. */
function FirstSteps(props: { readonly onStart: () => void }) {
  const { t } = useTranslation();
  return (
    <div className={css.text}>
      <section className={css.section}>
        <h2>{t('help.firstSteps')}</h2>
        <p>{t('tour.about')}</p>
        <ol className={css.list}>
          <li>{t('tour.plan.files')}</li>
          <li>{t('tour.plan.register')}</li>
          <li>{t('tour.plan.verify')}</li>
        </ol>
        <div>
          <Button kind="primary" onPress={props.onStart}>
            {t('tour.start')}
          </Button>
        </div>
      </section>
    </div>
  );
}

/** The version, and the licences of what the program is made of. */
function About() {
  const { t } = useTranslation();
  const { version, installation } = useLive().info;
  const { data, error } = useQuery({
    queryKey: ['licences'],
    queryFn: () => askValue('app.licences', {}),
    staleTime: Number.POSITIVE_INFINITY,
    retry: false,
  });
  return (
    <>
      <h2>{t('help.about')}</h2>
      <p>{t('settings.version', { version })}</p>
      <p>{t(`settings.installed.${installation}`)}</p>
      <p>{t('help.ownLicence')}</p>
      {error ? (
        <Problem heading={t('help.notLoaded')} advice={t('app.notLoadedAdvice')} technical={error.message} />
      ) : null}
      {data ? (
        <section className={css.section}>
          <h3>{t('help.licences', { count: data.length })}</h3>
          {data.map(({ name, version: of, licence, text }) => (
            <Fold key={`${name} ${of}`} label={`${name} ${of} · ${licence}`}>
              <pre dir="ltr" className={css.licence}>
                {text}
              </pre>
            </Fold>
          ))}
        </section>
      ) : null}
    </>
  );
}

const groups = ['everywhere', 'screens', 'lists', 'forms', 'view'] as const;
/** Keys with a name of their own; others are shown as they are written. */
const named = [
  'mod',
  'Control',
  'Shift',
  'Alt',
  'Space',
  'Enter',
  'Escape',
  'Home',
  'End',
  'PageUp',
  'PageDown',
] as const;
const signs: Readonly<Record<string, string>> = {
  ArrowUp: '↑',
  ArrowDown: '↓',
  ArrowLeft: '←',
  ArrowRight: '→',
  plus: '+',
};
const macSigns: Readonly<Record<string, string>> = { mod: '⌘', Control: '⌃', Shift: '⇧', Alt: '⌥' };

/** All keyboard shortcuts of this system, in groups. */
function ShortcutList() {
  const { t } = useTranslation();
  const isDesktop = useLive().info.host === 'desktop';
  const here = shortcuts.filter((shortcut) => isDesktop || !('isDesktopOnly' in shortcut));
  return groups
    .map((group) => ({ group, rows: here.filter((shortcut) => shortcut.group === group) }))
    .filter(({ rows }) => rows.length > 0)
    .map(({ group, rows }) => (
      <section key={group} className={css.section}>
        <h3>{t(`help.group.${group}`)}</h3>
        <dl className={css.keys}>
          {rows.map((shortcut) => (
            <div key={shortcut.id}>
              <dt>{t(isScreenShortcut(shortcut.id) ? `screens.${shortcut.id}` : `help.shortcut.${shortcut.id}`)}</dt>
              <dd className={looks.line}>
                <Keys keys={keysHere(shortcut.id)} />
              </dd>
            </div>
          ))}
        </dl>
      </section>
    ));
}

function Keys(props: { readonly keys: string }) {
  const { t } = useTranslation();
  const nameOf = (key: string) => {
    const known = named.find((name) => name === key);
    return (isMac ? macSigns[key] : undefined) ?? signs[key] ?? (known ? t(`help.key.${known}`) : key);
  };
  return combinationsOf(props.keys).map((combination) => (
    // Keys are read from left to right in every language.
    <span key={combination.join()} dir="ltr">
      {combination.map((key) => (
        <kbd key={key}>{nameOf(key)}</kbd>
      ))}
    </span>
  ));
}
