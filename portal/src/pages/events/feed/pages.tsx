import { getRouteApi, Link } from '@tanstack/react-router';
import { useEffect, useRef, useState } from 'react';
import { api, basePath } from '../../../api/client.ts';
import { EventDrawer } from '../../../feed/drawer.tsx';
import { CountOfEvents, EventList, Paging } from '../../../feed/list.tsx';
import { arrivals, type FeedPage, lastPage, PAGE_SIZE } from '../../../feed/state.ts';
import { Button } from '../../../ui/button.tsx';
import { CodeBlock } from '../../../ui/copy-button.tsx';
import { EmptyState, ErrorNotice, Loading } from '../../../ui/states.tsx';

const POLL_MS = 3_000;
/** Pixels. Up to this scroll position, new rows are inserted immediately. */
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
        <CountOfEvents total={shown.total} number={number} />
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
          <EventList events={shown.events} />
        ) : (
          <NoEvents agent={agent} name={name} total={shown.total} />
        )}
      </section>
      <Paging label="Pages of the feed" number={number} last={lastPage(shown.total)} />
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

const EVENT = '{"events": [{"eventName": "order_paid", "properties": {"amount": 49.9, "plan": "pro"}}]}';

interface NoEventsProps {
  agent: string | undefined;
  name: string | undefined;
  /** The number of events on other pages. */
  total: number;
}

export function NoEvents({ agent, name, total }: NoEventsProps) {
  if (total > 0) {
    return (
      <EmptyState title="There are no older events">
        <Link to="/events" search={{ name }}>
          To the newest
        </Link>
      </EmptyState>
    );
  }
  if (name !== undefined) {
    return (
      <EmptyState title={`No event "${name}"`}>
        <Link to="/events" search={{}}>
          Show all events
        </Link>
      </EmptyState>
    );
  }
  const address = `${window.location.origin}${basePath}api/v1/runtime/v1/observability/events`;
  const curl = `curl ${address} \\\n  -H "x-api-key: ar_YOUR_KEY" -H "content-type: application/json" \\\n  -d '${EVENT}'`;
  return (
    <EmptyState title={agent === undefined ? 'No events yet' : `No events of the agent "${agent}" yet`}>
      <p>Send the first one. It appears here within seconds.</p>
      <div className="first-event">
        <CodeBlock text={curl} label="Command that sends an event" />
      </div>
      <Link to="/connect">Make a key and connect an agent</Link>
    </EmptyState>
  );
}
