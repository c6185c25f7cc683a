import type { ReactNode } from 'react';
import { statusOf } from '../api/errors.ts';
import { t } from '../language/index.ts';
import { PageHead } from './page-head.tsx';
import { EmptyState, QueryState } from './states.tsx';

interface UnreadPageProps {
  title: string;
  /** The title if there is no such thing. */
  missing: string;
  query: { data: unknown; error: unknown; refetch(): unknown };
  /** A link to the others. */
  children: ReactNode;
}

/** The page of a thing that the address names, without it: it loads, there is no such thing, or why it cannot be read. */
export function UnreadPage({ title, missing, query, children }: UnreadPageProps) {
  const status = statusOf(query.error);
  // 400: nothing can have the name or id of the address.
  const isMissing = status === 404 || status === 400;
  return (
    <>
      <PageHead title={title} />
      {isMissing ? (
        <EmptyState title={missing}>
          <p>{t('The address may be wrong, or somebody has deleted it.')}</p>
          {children}
        </EmptyState>
      ) : (
        <QueryState query={query} height={320} />
      )}
    </>
  );
}
