import type { ReactNode } from 'react';
import { messageOf, requestIdOf } from '../api/errors.ts';
import { t } from '../language/index.ts';
import { Button } from './button.tsx';

/** An error's message, with the request id for the log and a button to try again. */
export function ErrorNotice({ error, onRetry }: { error: unknown; onRetry?: () => void }) {
  const requestId = requestIdOf(error);
  return (
    <div className="notice bad" role="alert">
      <span>{messageOf(error)}</span>
      {requestId && <span className="muted small">{t('Request {id}', { id: requestId })}</span>}
      {onRetry && <Button onClick={onRetry}>{t('Try again')}</Button>}
    </div>
  );
}

/** For a page without data: explains what to do next. */
export function EmptyState({ title, children }: { title: string; children: ReactNode }) {
  return (
    <div className="empty">
      <h2>{title}</h2>
      {children}
    </div>
  );
}

/** A skeleton that screen readers announce. */
export function Loading({ height = 120 }: { height?: number }) {
  return (
    <div role="status">
      <span className="visually-hidden">{t('Loading …')}</span>
      <div className="skeleton" style={{ blockSize: height }} aria-hidden="true" />
    </div>
  );
}

interface QueryStateProps {
  query: { data: unknown; error: unknown; refetch(): unknown };
  height?: number;
}

/** Why a query failed, if it did. */
export function QueryFault({ query: { error, refetch } }: { query: { error: unknown; refetch(): unknown } }) {
  return Boolean(error) && <ErrorNotice error={error} onRetry={() => void refetch()} />;
}

/** Stands for the answer of a query: says that it loads, or why it failed. Nothing once there is an answer. */
export function QueryState({ query: { data, error, refetch }, height }: QueryStateProps) {
  if (error) return <QueryFault query={{ error, refetch }} />;
  return data === undefined && <Loading {...(height !== undefined && { height })} />;
}

interface TogetherProps {
  queries: readonly { isLoading: boolean; isFetched: boolean }[];
  children: ReactNode;
}

/**
 * Shows parts of a page once each has its answer: none moves down when another arrives. Parts whose query failed ask
 * again as they are shown; to hide them meanwhile would repeat that endlessly.
 */
export function Together({ queries, children }: TogetherProps) {
  return queries.some(({ isLoading, isFetched }) => isLoading && !isFetched) ? <Loading height={480} /> : children;
}
