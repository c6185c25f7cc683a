import { getRouteApi, Link } from '@tanstack/react-router';
import { api } from '../../api/client.ts';
import { messageOf, statusOf } from '../../api/errors.ts';
import { OpenedEvent } from '../../feed/opened-event.tsx';
import { t } from '../../language/index.ts';
import { forReaders } from '../../shell/readers-page.tsx';
import { Button } from '../../ui/button.tsx';
import { PageHead } from '../../ui/page-head.tsx';
import { EmptyState, ErrorNotice, Loading } from '../../ui/states.tsx';
import { ZONE } from '../../ui/time.tsx';
import { MAX_COUNTED } from '../executions/words.ts';
import { ThreadItem } from './items.tsx';

const THREAD = '/api/v1/runtime/v1/observability/threads/{threadId}';
const PAGE_SIZE = 100;
const route = getRouteApi('/shell/threads/$id');

/** A conversation in order: what agents did in it, what happened, and what people said of it. */
export const ThreadPage = forReaders(t('Thread'), 'executions', 'executions:read', OneThread);

function OneThread() {
  const { id } = route.useParams();
  return (
    <>
      <PageHead title={t('Thread {id}', { id })} />
      <Items key={id} threadId={id} />
    </>
  );
}

function Items({ threadId }: { threadId: string }) {
  const { data, error, isFetchingNextPage, hasNextPage, fetchNextPage, refetch } = api.useInfiniteQuery(
    'get',
    THREAD,
    { params: { path: { threadId }, query: { limit: PAGE_SIZE } } },
    {
      pageParamName: 'cursor',
      // Undefined would be sent as 0.
      initialPageParam: null,
      getNextPageParam: ({ nextCursor }: { nextCursor: string | null }) => nextCursor,
    },
  );
  const items = data?.pages.flatMap((page) => page.items);
  if (items === undefined) return error ? <Fault error={error} onRetry={refetch} /> : <Loading height={480} />;
  const events = items.flatMap((item) => (item.type === 'event' ? [item.event] : []));
  return (
    <div className="stack">
      <p className="small muted">
        {countText(items.length, data!.pages[0]!.total)} · {t('times in {zone}', { zone: ZONE })}
      </p>
      <ol className="panel items" aria-label={t('The thread, oldest first')}>
        {items.map((item) => (
          <ThreadItem key={`${item.type} ${item.at} ${idOf(item)}`} item={item} />
        ))}
      </ol>
      {error && <ErrorNotice error={error} onRetry={() => void refetch()} />}
      {hasNextPage && (
        <p>
          <Button disabled={isFetchingNextPage} onClick={() => void fetchNextPage()}>
            {isFetchingNextPage ? t('Loading …') : t('Show what followed')}
          </Button>
        </p>
      )}
      <OpenedEvent events={events} />
    </div>
  );
}

type Item = Parameters<typeof ThreadItem>[0]['item'];

function idOf(item: Item): string {
  if (item.type === 'execution') return item.execution.id;
  return item.type === 'event' ? item.event.id : item.review.id;
}

/** "100 of 1,204", "The first 100" where nobody counted them. */
function countText(shown: number, total: number | null): string {
  if (total === null) return t('The first {count} entries', { count: shown });
  if (shown >= total) return t.count(shown, '{count} entry', '{count} entries');
  return total >= MAX_COUNTED
    ? t('{shown} of {total} entries or more', { shown, total })
    : t('{shown} of {total} entries', { shown, total });
}

function Fault({ error, onRetry }: { error: unknown; onRetry(): unknown }) {
  const status = statusOf(error);
  if (status !== 404 && status !== 400) return <ErrorNotice error={error} onRetry={() => void onRetry()} />;
  return (
    <EmptyState title={t('There is no such thread')}>
      <p>{status === 404 ? t('The address may be wrong, or the thread was erased.') : messageOf(error)}</p>
      <Link to="/executions">{t('All executions')}</Link>
    </EmptyState>
  );
}
