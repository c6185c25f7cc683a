import { Link, useRouterState } from '@tanstack/react-router';
import { CHAPTERS, chapterOf } from '../help/chapters.ts';
import { t } from '../language/index.ts';
import { Icon } from '../ui/icon.tsx';

/** Leads to the part of the docs that explains the page. */
export function ChapterLink() {
  const pathname = useRouterState({ select: ({ location }) => location.pathname });
  if (pathname.startsWith('/help')) return null;
  const { chapter, ...place } = chapterOf(pathname);
  const label = t('Help: {chapter}', { chapter: CHAPTERS[chapter] });
  return (
    <Link
      className="button quiet icon chapter-link"
      to="/help/$chapter"
      params={{ chapter }}
      {...place}
      aria-label={label}
      title={label}
    >
      <Icon name="help" />
    </Link>
  );
}
