import { useQuery } from '@tanstack/react-query';
import { getRouteApi, Link, useRouterState } from '@tanstack/react-router';
import { useEffect } from 'react';
import { basePath } from '../../api/client.ts';
import { CHAPTERS, type Chapter, headingId, isChapter, withWholeLinks } from '../../help/chapters.ts';
import { t } from '../../language/index.ts';
import { LANGUAGE } from '../../language/language.ts';
import { Markdown, type MarkdownRules } from '../../transcript/markdown/markdown.tsx';
import { PageHead } from '../../ui/page-head.tsx';
import { EmptyState, QueryState } from '../../ui/states.tsx';

const route = getRouteApi('/shell/help/$chapter');
const BASE = `${window.location.origin}${basePath}help/`;

/** Each chapter is a file of its own, which the server has: nothing is read from elsewhere. */
const FILES = import.meta.glob<string>('../../../../docs/*.md', { query: '?raw', import: 'default' });

function readChapter(chapter: Chapter): Promise<string> {
  return FILES[`../../../../docs/${chapter}.md`]!();
}

/** All chapters of the docs. */
export function Help() {
  return (
    <>
      <PageHead title={t('Help')} />
      <div className="stack">
        <InEnglish />
        <ul className="panel padded stack tight" aria-label={t('Chapters')}>
          {(Object.keys(CHAPTERS) as Chapter[]).map((chapter) => (
            <li key={chapter}>
              <Link to="/help/$chapter" params={{ chapter }}>
                {CHAPTERS[chapter]}
              </Link>
            </li>
          ))}
        </ul>
      </div>
    </>
  );
}

/** One chapter of the docs, at the part that the address names. */
export function HelpChapter() {
  const { chapter } = route.useParams();
  if (isChapter(chapter)) return <Shown key={chapter} chapter={chapter} />;
  return (
    <>
      <PageHead title={t('Help')} />
      <EmptyState title={t('There is no such chapter')}>
        <Link to="/help">{t('All chapters')}</Link>
      </EmptyState>
    </>
  );
}

function Shown({ chapter }: { chapter: Chapter }) {
  const query = useQuery({ queryKey: ['chapter', chapter], queryFn: () => readChapter(chapter), staleTime: Infinity });
  const hash = useRouterState({ select: ({ location }) => location.hash });
  const { data } = query;
  useEffect(() => {
    if (data !== undefined && hash !== '') document.getElementById(hash)?.scrollIntoView();
  }, [data, hash]);
  return (
    <>
      <PageHead title={CHAPTERS[chapter]} />
      <div className="stack help">
        <p className="row">
          <Link to="/help">{t('All chapters')}</Link>
          <InEnglish />
        </p>
        <QueryState query={query} height={480} />
        {data !== undefined && <Text text={data} chapter={chapter} />}
      </div>
    </>
  );
}

/** The docs are written in English alone. */
function InEnglish() {
  return LANGUAGE !== 'en' && <span className="muted">{t('The chapters are in English.')}</span>;
}

function Text({ text, chapter }: { text: string; chapter: Chapter }) {
  // The page's head has the title.
  const [, ...lines] = text.split('\n');
  return <Markdown text={withWholeLinks(lines.join('\n'), chapter, BASE)} rules={RULES} language="en" />;
}

const RULES: MarkdownRules = {
  heading: (level, children, text) =>
    level === 2 ? <h2 id={headingId(text)}>{children}</h2> : <h3 id={headingId(text)}>{children}</h3>,
  link: (address, children) => {
    if (!address.startsWith(BASE)) return undefined;
    const [chapter, hash] = address.slice(BASE.length).split('#');
    return (
      <Link to="/help/$chapter" params={{ chapter: chapter! }} {...(hash !== undefined && { hash })}>
        {children}
      </Link>
    );
  },
};
