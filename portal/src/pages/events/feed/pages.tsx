import { getRouteApi, Link } from '@tanstack/react-router';
import { useEffect, useRef, useState } from 'react';
import { api } from '../../../api/client.ts';
import { Button } from '../../../ui/button.tsx';
import { ErrorNotice, Loading } from '../../../ui/states.tsx';
import { ZONE } from '../../../ui/time.tsx';
import { EventDrawer } from './drawer.tsx';
import { FeedList } from './list.tsx';
import { NoEvents } from './no-events.tsx';
import { arrivals, type FeedPage, lastPage, PAGE_SIZE } from './state.ts';

const POLL_MS = 3_000;
/** Pixels. Up to this scroll position, new rows are inserted at once. */
const TOP = 120;

const route = getRouteApi('/shell/events');

interface FeedPagesProps {
  agent: string | undefined;
  name: string | undefined;
  number: number;
  isLive: boolean;
}

/** One page of the feed. New events wait behind a button while the reader has scrolled down or opened a row. */
export function FeedPages({ agent, name, number, isLive }: FeedPagesProps) {
  const { event, eventName } = route.useSearch();
  const list = useRef<HTMLElement>(null);
  const [shown, setShown] = useState<FeedPage & { notes?: string[] }>();
  const query = { agentId: agent, eventName: name, limit: PAGE_SIZE, offset: (number - 1) * PAGE_SIZE };
  const { data, error, isError, refetch } = api.useQuery(
    'get',
    '/api/v1/runtime/v1/observability/events/feed',
    { params: { query } },
    // Hidden pages are not polled.
    { refetchInterval: isLive ? POLL_MS : false, refetchOnWindowFocus: isLive, staleTime: 0 },
  );

  const isReading = event !== undefined;
  useEffect(() => {
    if (data === undefined) return;
    const isAtTop = window.scrollY <= TOP && !list.current?.matches(':focus-within') && !isReading;
    setShown((before) => (before === undefined || (isLive && isAtTop) ? data : before));
  }, [data, isLive, isReading]);

  if (shown === undefined) return isError ? <ErrorNotice error={error} onRetry={refetch} /> : <Loading what="events" />;

  const waiting = data && number === 1 ? arrivals(shown, data) : 0;
  const bringIn = () => {
    setShown(data);
    window.scrollTo({ top: 0 });
    list.current?.focus();
  };
  return (
    <>
      {isError && <ErrorNotice error={error} onRetry={refetch} />}
      <div className="row feed-status">
        <p className="small muted">
          {shown.total.toLocaleString()} {shown.total === 1 ? 'event' : 'events'}
          {shown.total > PAGE_SIZE && ` · page ${number} of ${lastPage(shown.total)}`} · times in {ZONE}
        </p>
        <div role="status">
          {waiting > 0 && (
            <Button look="primary" onClick={bringIn}>
              {waiting.toLocaleString()} new {waiting === 1 ? 'event' : 'events'}
            </Button>
          )}
        </div>
      </div>
      {/* Without a name the empty state says it. */}
      {(name !== undefined || shown.total > 0) &&
        shown.notes?.map((note) => (
          <p key={note} className="notice">
            {note}
          </p>
        ))}
      <section ref={list} className="panel" aria-label="Newest events first" tabIndex={-1}>
        {shown.events.length > 0 ? (
          <FeedList events={shown.events} />
        ) : (
          <NoEvents agent={agent} name={name} total={shown.total} />
        )}
      </section>
      <Paging number={number} last={lastPage(shown.total)} />
      {event !== undefined && (
        <EventDrawer
          key={event}
          id={event}
          name={eventName}
          agent={agent}
          known={shown.events.find(({ id }) => id === event)}
        />
      )}
    </>
  );
}

function Paging({ number, last }: { number: number; last: number }) {
  if (last === 1 && number === 1) return null;
  const search = (page: number) => ({
    page: page === 1 ? undefined : String(page),
    event: undefined,
    eventName: undefined,
  });
  return (
    <nav className="row" aria-label="Pages of the feed">
      {number > 1 && (
        <Link className="button" from="/events" search={(before) => ({ ...before, ...search(number - 1) })}>
          Newer
        </Link>
      )}
      {number < last && (
        <Link className="button" from="/events" search={(before) => ({ ...before, ...search(number + 1) })}>
          Older
        </Link>
      )}
    </nav>
  );
}
