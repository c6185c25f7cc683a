import { getRouteApi, Link } from '@tanstack/react-router';
import { api } from '../../api/client.ts';
import { messageOf, statusOf } from '../../api/errors.ts';
import { OpenedEvent } from '../../feed/opened-event.tsx';
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
export const ThreadPage = forReaders('Thread', 'executions', 'executions:read', OneThread);

function OneThread() {
  const { id } = route.useParams();
  return (
    <>
      <PageHead title={`Thread ${id}`} />
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
        {countText(items.length, data!.pages[0]!.total)} · times in {ZONE}
      </p>
      <ol className="panel items" aria-label="The thread, oldest first">
        {items.map((item) => (
          <ThreadItem key={`${item.type} ${item.at} ${idOf(item)}`} item={item} />
        ))}
      </ol>
      {error && <ErrorNotice error={error} onRetry={() => void refetch()} />}
      {hasNextPage && (
        <p>
          <Button disabled={isFetchingNextPage} onClick={() => void fetchNextPage()}>
            {isFetchingNextPage ? 'Loading …' : 'Show what followed'}
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
  const words = (count: number) => `${count.toLocaleString()} ${count === 1 ? 'entry' : 'entries'}`;
  if (total === null) return `The first ${words(shown)}`;
  if (shown >= total) return words(shown);
  return `${shown.toLocaleString()} of ${words(total)}${total >= MAX_COUNTED ? ' or more' : ''}`;
}

function Fault({ error, onRetry }: { error: unknown; onRetry(): unknown }) {
  const status = statusOf(error);
  if (status !== 404 && status !== 400) return <ErrorNotice error={error} onRetry={() => void onRetry()} />;
  return (
    <EmptyState title="There is no such thread">
      <p>{status === 404 ? 'The address may be wrong, or the thread was erased.' : messageOf(error)}</p>
      <Link to="/executions">All executions</Link>
    </EmptyState>
  );
}
