import { getRouteApi } from '@tanstack/react-router';
import { api } from '../../../api/client.ts';
import { useSession } from '../../../api/session.ts';
import { EventList } from '../../../feed/list.tsx';
import { lazyDialog } from '../../../ui/lazy-dialog.tsx';
import { Section } from '../../../ui/page-head.tsx';
import { QueryState } from '../../../ui/states.tsx';
import type { Execution } from '../executions.ts';

const EventDrawer = lazyDialog(async () => ({ default: (await import('../../../feed/drawer.tsx')).EventDrawer }));
const route = getRouteApi('/shell/executions/$id');
const SHOWN = 20;

/** The newest events of the thread, or of the execution where it belongs to none. */
export function EventsBeside({ execution: { id, threadId } }: { execution: Execution }) {
  const { can } = useSession();
  const { event, eventName } = route.useSearch();
  const of = threadId === null ? { executionId: id } : { threadId };
  const query = api.useQuery(
    'get',
    '/api/v1/runtime/v1/observability/events/feed',
    { params: { query: { ...of, limit: SHOWN } } },
    { enabled: can('events:read') },
  );
  if (!can('events:read')) return null;
  const { data } = query;
  return (
    <Section
      id="events"
      title={`Events of the ${threadId === null ? 'execution' : 'thread'}`}
      className="panel stack tight beside"
    >
      <QueryState query={query} what="the events" />
      {data?.total === 0 && <p className="small muted">There are none.</p>}
      {data && data.total > SHOWN && (
        <p className="small muted">
          The newest {SHOWN} of {data.total.toLocaleString()}
        </p>
      )}
      {data && data.events.length > 0 && <EventList events={data.events} />}
      {event !== undefined && (
        <EventDrawer
          key={event}
          id={event}
          name={eventName}
          agent={undefined}
          known={data?.events.find((one) => one.id === event)}
        />
      )}
    </Section>
  );
}
